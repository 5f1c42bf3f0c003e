package io.holdfast.memory.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AcquireOptions;
import io.holdfast.FencingToken;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.LockMode;
import io.holdfast.error.LockLostException;
import io.holdfast.error.LossReason;
import io.holdfast.memory.MemoryStore;
import io.holdfast.view.LockView;
import io.holdfast.view.MultiGrant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The examples of docs/views.md, which are in this class word for word. */
class ViewsPageTest {

  private static final Path PAGE = Path.of("../docs/views.md");
  private static final Path HERE =
      Path.of("src/test/java/io/holdfast/memory/view/ViewsPageTest.java");
  private static final Pattern EXAMPLE = Pattern.compile("(?s)```java\n(.*?)```");

  private final String store = "page-" + UUID.randomUUID();
  private final LockClient client = Holdfast.connect("memory:" + store);
  private final List<Object> done = new ArrayList<>();

  @AfterEach
  void close() {
    client.close();
    MemoryStore.forget(store);
  }

  private boolean isFree(String name) {
    return client.find(name).flatMap(record -> record.holder()).isEmpty();
  }

  @Test
  void everyExampleOfThePageIsHere() throws IOException {
    String here = withoutIndents(Files.readString(HERE));
    List<String> examples =
        EXAMPLE
            .matcher(Files.readString(PAGE))
            .results()
            .map(example -> withoutIndents(example.group(1)))
            .toList();
    assertThat(examples).hasSizeGreaterThan(3).allSatisfy(each -> assertThat(here).contains(each));
  }

  private static String withoutIndents(String code) {
    return code.replaceAll("(?m)^ +", "");
  }

  @Test
  void aLock() {
    Lock lock = client.lock("orders/42").asLock();
    lock.lock();
    try {
      ship();
    } finally {
      lock.unlock();
    }

    assertThat(done).containsExactly("shipped while locked");
    assertThat(isFree("orders/42")).isTrue();
  }

  private void ship() {
    done.add(isFree("orders/42") ? "shipped" : "shipped while locked");
  }

  @Test
  void aViewAndItsGrant() {
    LockView lock = client.lock("orders/42").asLock(AcquireOptions.forever().why("shipping"));
    lock.lock();
    try {
      Grant grant = lock.grant().orElseThrow();
      write("order 42", grant.token());
      grant.check(); // throws LockLostException if the lock was lost
      write("order 42", grant.token());
    } finally {
      lock.unlock();
    }

    assertThat(done).hasSize(2);
    assertThat(done.get(0)).isEqualTo(done.get(1));
  }

  private void write(String what, FencingToken token) {
    done.add(what + " under " + token);
  }

  @Test
  @SuppressWarnings("LockNotBeforeTry") // The example begins with the unlock.
  void aLoss() {
    LockView lock = client.lock("orders/42").asLock();
    lock.lock();
    lock.grant().orElseThrow().release();

    try {
      lock.unlock();
    } catch (IllegalMonitorStateException e) {
      if (e.getCause() instanceof LockLostException lost) {
        report(lost.reason()); // another process may have done the same work
      }
    }

    assertThat(done).containsExactly(LossReason.RELEASED);
    assertThatThrownBy(lock::unlock).hasNoCause();
  }

  private void report(LossReason reason) {
    done.add(reason);
  }

  @Test
  void aReadWriteLock() {
    ReadWriteLock lock = client.readWriteLock("catalogue");
    lock.writeLock().lock();
    try {
      rebuild();
      lock.readLock().lock(); // makes no call to the store
    } finally {
      lock.writeLock().unlock(); // from here on other readers are let in, and no writer before them
    }
    try {
      publish();
    } finally {
      lock.readLock().unlock();
    }

    assertThat(done).containsExactly(LockMode.EXCLUSIVE, LockMode.SHARED);
    assertThat(isFree("catalogue")).isTrue();
  }

  private void rebuild() {
    done.add(modeOf("catalogue"));
  }

  private void publish() {
    done.add(modeOf("catalogue"));
  }

  @Test
  void severalLocks() {
    AcquireOptions options = AcquireOptions.within(Duration.ofSeconds(5)).why("transfer");
    try (MultiGrant grant = client.lockAll(List.of("accounts/7", "accounts/3"), options)) {
      write("account 7", grant.token("accounts/7"));
      write("account 3", grant.token("accounts/3"));
      grant.check(); // throws LockLostException if one of them was lost
    }

    assertThat(done).hasSize(2);
    assertThat(isFree("accounts/3")).isTrue();
    assertThat(isFree("accounts/7")).isTrue();
  }

  private LockMode modeOf(String name) {
    return client.find(name).flatMap(record -> record.holder()).orElseThrow().mode();
  }
}
