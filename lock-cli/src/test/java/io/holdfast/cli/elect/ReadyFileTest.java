package io.holdfast.cli.elect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.cli.FakeGrant;
import io.holdfast.cli.output.Messages;
import io.holdfast.error.BadRequestException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadyFileTest {

  @TempDir private Path directory;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final Messages messages =
      new Messages(new PrintStream(said, true, StandardCharsets.UTF_8), false);
  private final FakeGrant grant = new FakeGrant("demo", Duration.ofMinutes(1), () -> {});

  private ReadyFile readyFile(Path path) {
    return new ReadyFile(Optional.of(path), messages);
  }

  @Test
  void whatAnEarlierProcessHasLeftIsRemovedAndNoTraceOfTheTryIsLeft() throws Exception {
    Path file = Files.writeString(directory.resolve("ready"), "of another\n");

    readyFile(file).prepare();

    assertThat(directory).isEmptyDirectory();
  }

  /** Health checks would take the leader for one that does not run. */
  @Test
  void whoBeginsLaterLeavesTheFileOfALeaderThatLives() throws Exception {
    Path file = directory.resolve("ready");
    ReadyFile leads = readyFile(file);
    leads.prepare();
    leads.create(grant);

    readyFile(file).prepare();

    assertThat(file).hasContent(grant.sequencer() + "\n");
    leads.remove();
    assertThat(directory).isEmptyDirectory();
    assertThat(said.size()).isZero();
  }

  @Test
  void whoLeadsNoMoreLeavesTheFileOfTheNextLeader() throws Exception {
    Path file = directory.resolve("ready");
    ReadyFile leads = readyFile(file);
    ReadyFile next = readyFile(file);
    FakeGrant nextGrant = new FakeGrant("other", Duration.ofMinutes(1), () -> {});
    leads.create(grant);
    next.create(nextGrant);

    leads.remove();

    assertThat(file).hasContent(nextGrant.sequencer() + "\n");
    next.remove();
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aFileThatCannotBeWrittenIsToldBeforeThisProcessStands() throws Exception {
    ReadyFile ready = readyFile(directory.resolve("missing/ready"));
    assertThatThrownBy(ready::prepare)
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("--ready-file")
        .hasMessageContaining("no such directory");
    Path plain = Files.createFile(directory.resolve("plain"));
    assertThatThrownBy(readyFile(plain.resolve("ready"))::prepare)
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("--ready-file");
  }

  @Test
  void aDirectoryIsRefusedAndLeftAsItIs() throws Exception {
    Path folder = Files.createDirectory(directory.resolve("ready"));
    ReadyFile ready = readyFile(folder);

    assertThatThrownBy(ready::prepare)
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("is a directory");
    ready.remove();

    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void whatGoesWrongLaterIsToldAndNoReasonToEnd() throws Exception {
    Path folder = Files.createDirectory(directory.resolve("gone"));
    ReadyFile ready = readyFile(folder.resolve("ready"));
    ready.prepare();
    Files.delete(folder);

    ready.create(grant);
    ready.remove();

    assertThat(said.toString(StandardCharsets.UTF_8))
        .startsWith("holdfast: the ready file ")
        .contains("cannot be written", "runs without it");
  }
}
