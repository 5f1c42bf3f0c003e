package io.holdfast.tck.process.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.FencingToken;
import io.holdfast.tck.process.client.FencedRegister.Answer;
import io.holdfast.tck.process.client.FencedRegister.Answer.Accepted;
import io.holdfast.tck.process.client.FencedRegister.Answer.Rejected;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FencedRegisterTest {

  private static final FencingToken OLD = new FencingToken(7);
  private static final FencingToken NEW = new FencingToken(Long.MAX_VALUE);

  @TempDir Path directory;

  private FencedRegister register;

  @BeforeEach
  void openRegister() {
    register = FencedRegister.open(directory.resolve("register"));
  }

  @Test
  void aReadTellsTheLastWrite() {
    assertThat(register.read(OLD)).isEqualTo(new Accepted(0));

    Accepted write = (Accepted) register.write(OLD);

    assertThat(write.serial()).isPositive();
    assertThat(register.read(OLD)).isEqualTo(write);
    assertThat(register.read(NEW)).isEqualTo(write);
  }

  @Test
  void aSmallerTokenIsRefusedAfterAGreaterOneHasWritten() {
    register.write(OLD);
    register.write(NEW);

    assertThat(register.write(OLD)).isEqualTo(new Rejected(NEW));
    assertThat(register.read(OLD)).isEqualTo(new Rejected(NEW));
    assertThat(register.write(NEW)).isInstanceOf(Accepted.class);
  }

  @Test
  void aSmallerTokenIsRefusedAfterAGreaterOneHasOnlyRead() {
    register.read(NEW);

    assertThat(register.write(OLD)).isEqualTo(new Rejected(NEW));
  }

  @Test
  void whoeverOpensTheSameFileSeesTheSameRegister() {
    FencedRegister other = FencedRegister.open(directory.resolve("register"));

    Answer write = register.write(NEW);

    assertThat(other.read(NEW)).isEqualTo(write);
    assertThat(other.write(OLD)).isEqualTo(new Rejected(NEW));
  }

  @Test
  void everyWriteHasASerialNumberOfItsOwnWhoeverWritesAtOnce() throws InterruptedException {
    // given
    int threads = 4;
    int writes = 10_000;
    Queue<Long> serials = new ConcurrentLinkedQueue<>();
    List<Thread> writers = new ArrayList<>();

    // when
    for (int i = 0; i < threads; i++) {
      FencedRegister own = FencedRegister.open(directory.resolve("register"));
      Thread writer =
          new Thread(
              () -> {
                for (int write = 0; write < writes; write++) {
                  serials.add(((Accepted) own.write(OLD)).serial());
                }
              });
      writers.add(writer);
      writer.start();
    }
    for (Thread writer : writers) {
      writer.join();
    }

    // then
    assertThat(serials)
        .containsExactlyInAnyOrderElementsOf(
            LongStream.rangeClosed(1, (long) threads * writes).boxed().toList());
  }
}
