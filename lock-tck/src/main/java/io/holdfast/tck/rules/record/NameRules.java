package io.holdfast.tck.rules.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockName;
import io.holdfast.record.LockRecord;
import io.holdfast.spi.Request;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A name is its UTF-8 bytes and nothing else. */
@Topic(value = "NAM", level = Level.CORE, clause = "docs/guarantees.md, Names")
public interface NameRules extends SpiRules {

  /** Names that some store, somewhere, takes for one another, or for something else. */
  List<String> ODD_NAMES = List.copyOf(oddNames());

  private static Set<String> oddNames() {
    Set<String> names = new LinkedHashSet<>();
    // Case, including the letters whose other case is longer, shorter or another language's.
    names.addAll(List.of("a", "A", "i", "I", "\u0131", "\u0130", "ss", "SS", "\u00df", "\u017f"));
    // One in two normalisation forms, compatibility forms, and with and without its accent.
    names.addAll(List.of("\u00e9", "e\u0301", "e", "1", "\uff11", "\u00b9", "\ufb01", "fi"));
    // White space at the ends, alone, and invisible.
    names.addAll(List.of(" a", "a ", "a  ", " ", "  ", "a\u00a0", "\u200b", "a\u200b", "\ufeffa"));
    // One the prefix of another, with and without separators.
    names.addAll(
        List.of("a/", "a/b", "a/b/", "a/b/c", "a//b", "ab", "abc", "/", "//", "/a", "a-1"));
    // Characters to which queries, patterns, paths, keys and shells give a meaning.
    names.addAll(List.of("%", "_", "a%", "a_", "a_b", "axb", "*", "a*", "?", "[a]", "{a}", "^a$"));
    names.addAll(List.of("'", "''", "\"", "\\", "\\\\", "\\n", "`", "a'; DROP TABLE x; --", "$a"));
    names.addAll(List.of("$", ".", "..", "...", "../a", "!", ",", ";", ":", "#", "&", "=", "+"));
    names.addAll(List.of("a,b", "a;b", "a:b", "a.b", "a!b", "a%2Fb", "%61", "&amp;", "null", "0"));
    names.addAll(List.of("true", "00", "-1", "1e3", "~", "|", "<a>", "@", "(a)"));
    // Scripts, the last and the first characters around the surrogates, right to left.
    names.addAll(List.of("\u65e5\u672c", "\u05d0\u05d1", "\ud83d\ude00", "\ud83d\ude01", "\uffff"));
    names.addAll(List.of("\ufffd", "\ue000", "\ud7ff", "\udbff\udfff", "\ud800\udc00"));
    // As long as can be, and different in the last byte only.
    names.add("x".repeat(512));
    names.add("x".repeat(511));
    names.add("x".repeat(511) + "y");
    names.add("\u00e9".repeat(256));
    names.add("\ud83d\ude00".repeat(128));
    return names;
  }

  private static List<Held> holdAll(SpiClient client) {
    List<Held> all = new ArrayList<>();
    for (String name : ODD_NAMES) {
      client.keepAlive();
      all.add(client.hold(new LockName(name)));
    }
    return all;
  }

  @Test
  @Rule(value = "HF-NAM-01", marked = 3)
  default void differentNamesAreDifferentLocks() {
    SpiClient client = fixture().client();
    for (Held held : holdAll(client)) {
      client.keepAlive();
      assertThat(client.holding(held.request())).isEqualTo(held);
      assertThat(client.release(held)).as("%s", held).isNotNull();
      client.requireFree(held.request().name());
    }
  }

  @Test
  @Rule("HF-NAM-02")
  default void aNameComesBackAsItWasGiven() {
    SpiClient client = fixture().client();
    SpiClient other = fixture().client();

    for (String value : ODD_NAMES) {
      client.keepAlive();
      other.keepAlive();
      LockName name = new LockName(value);
      Held held = client.hold(name);
      Request waits = other.queue(name);
      LockRecord record = other.inspect(name).orElseThrow();
      assertThat(record.name()).isEqualTo(name);
      assertThat(record.holder().orElseThrow().request()).isEqualTo(held.request().id());
      assertThat(other.refused(name).request()).isEqualTo(held.request().id());
      client.release(held);
      other.holding(waits);
    }
  }

  @Test
  @Rule("HF-NAM-03")
  default void namesAreListedInTheOrderOfTheirBytes() {
    SpiClient client = fixture().client();
    holdAll(client);

    List<LockRecord> listed =
        client.backend().list("", Optional.empty(), ODD_NAMES.size() + 1, StoreFixture.soon());

    assertThat(listed)
        .extracting(LockRecord::name)
        .containsExactlyElementsOf(ODD_NAMES.stream().map(LockName::new).sorted().toList());
  }

  @Test
  @Rule("HF-NAM-04")
  default void aPrefixIsTakenLiterally() {
    SpiClient client = fixture().client();
    holdAll(client);

    for (String prefix :
        List.of("a", "A", "a_", "a%", "%", "_", "*", "\\", "'", "e", "a ", "x", "\u00e9")) {
      List<LockRecord> listed =
          client
              .backend()
              .list(prefix, Optional.empty(), ODD_NAMES.size() + 1, StoreFixture.soon());

      assertThat(listed)
          .as("locks that begin with %s", prefix)
          .extracting(record -> record.name().value())
          .containsExactlyInAnyOrderElementsOf(
              ODD_NAMES.stream().filter(name -> name.startsWith(prefix)).toList());
    }
  }
}
