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
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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
    Path file = directory.resolve("ready");
    for (String left : List.of(grant.sequencer() + "\n", "")) {
      Files.writeString(file, left);

      readyFile(file).prepare();

      assertThat(directory).isEmptyDirectory();
    }
  }

  @Test
  void whatIsNoReadyFileIsRefusedAndLeftAsItIs() throws Exception {
    Path settings = Files.writeString(directory.resolve("app.conf"), "port=1\n");
    Path two = Files.writeString(directory.resolve("two"), (grant.sequencer() + "\n").repeat(2));
    Path own = Files.writeString(directory.resolve("own"), grant.sequencer() + "\n");
    Path link = Files.createSymbolicLink(directory.resolve("link"), own);
    Path device = Files.createSymbolicLink(directory.resolve("null"), Path.of("/dev/null"));

    for (Path others : List.of(settings, two, link, device, fifo("fifo"))) {
      assertRefused(readyFile(others));
      assertThat(Files.exists(others, LinkOption.NOFOLLOW_LINKS)).as("%s", others).isTrue();
    }

    assertThat(settings).hasContent("port=1\n");
    assertThat(link).isSymbolicLink();
    assertThat(own).hasContent(grant.sequencer() + "\n");
  }

  /** It is written under that name first. */
  @Test
  void whatLiesBesideItIsLeftAsItIsToo() throws Exception {
    Path target = Files.writeString(directory.resolve("target"), "of another");
    Files.createSymbolicLink(directory.resolve("linked.part"), target);
    Files.writeString(directory.resolve("text.part"), "of another");
    fifo("fifo.part");

    for (String name : List.of("linked", "text", "fifo")) {
      assertRefused(readyFile(directory.resolve(name)));
      readyFile(directory.resolve(name)).create(grant);
      assertThat(directory.resolve(name)).doesNotExist();
    }

    assertThat(target).hasContent("of another");
    assertThat(directory.resolve("text.part")).hasContent("of another");
  }

  @Test
  void whatAKilledProcessHasLeftBesideItIsNoHindrance() throws Exception {
    Path file = directory.resolve("ready");
    Files.createFile(directory.resolve("ready.part"));
    Files.createFile(directory.resolve("ready." + ProcessHandle.current().pid()));

    ReadyFile ready = readyFile(file);
    ready.prepare();
    ready.create(grant);

    assertThat(file).hasContent(grant.sequencer() + "\n");
    ready.remove();
    assertThat(directory).isEmptyDirectory();
  }

  /** It may be days until this process is elected. */
  @Test
  void whatOthersHavePutThereMeanwhileIsNotReplaced() throws Exception {
    Path file = directory.resolve("ready");
    ReadyFile ready = readyFile(file);
    ready.prepare();
    Files.writeString(file, "of another");

    ready.create(grant);
    ready.remove();

    assertThat(file).hasContent("of another");
    assertThat(directory.resolve("ready.part")).doesNotExist();
    assertThat(said.toString(StandardCharsets.UTF_8))
        .contains("not a ready file of an earlier run", "runs without it");
  }

  private static void assertRefused(ReadyFile ready) {
    assertThatThrownBy(ready::prepare)
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("--ready-file")
        .hasMessageContaining("not a ready file of an earlier run");
  }

  private Path fifo(String name) throws Exception {
    Path fifo = directory.resolve(name);
    assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
    return fifo;
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
