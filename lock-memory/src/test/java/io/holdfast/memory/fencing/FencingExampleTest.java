package io.holdfast.memory.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.Sequencer;
import io.holdfast.error.StaleTokenException;
import io.holdfast.fencing.Admission;
import io.holdfast.fencing.FencingGuard;
import io.holdfast.memory.MemoryStore;
import io.holdfast.record.RevokeWhen;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The examples of docs/fencing.md that need no store of data. */
class FencingExampleTest {

  private static final String STORE = "fencing-example";

  private final LockClient client = Holdfast.connect("memory:" + STORE);
  private final FencingGuard guard = FencingGuard.create();
  private final Map<String, String> shelf = new ConcurrentHashMap<>();

  @AfterEach
  void close() {
    client.close();
    MemoryStore.forget(STORE);
  }

  private void put(String header) {
    try (Admission admission = guard.enter(Sequencer.parse(header))) {
      shelf.put("order 42", "shipped");
    }
  }

  private String ask(String header) {
    if (!client.isCurrent(Sequencer.parse(header))) {
      return "refused";
    }
    return "written";
  }

  @Test
  void aHolderWhoseLockHasPassedOnIsRefused() {
    try (LockClient other = Holdfast.connect("memory:" + STORE)) {
      Grant first = client.lock("orders/42").acquire();
      String before = first.sequencer().toString();
      put(before);
      assertThat(ask(before)).isEqualTo("written");

      other.revoke(other.find("orders/42").orElseThrow(), RevokeWhen.NOW);
      Grant next = other.lock("orders/42").acquire();
      String after = next.sequencer().toString();
      put(after);

      assertThatThrownBy(() -> put(before)).isInstanceOf(StaleTokenException.class);
      assertThat(ask(before)).isEqualTo("refused");
      assertThat(ask(after)).isEqualTo("written");
      assertThat(shelf).containsEntry("order 42", "shipped");
    }
  }
}
