package io.holdfast.redis.connection;

import static io.holdfast.redis.RedisNamespace.soon;
import static io.holdfast.redis.Requests.observed;
import static io.holdfast.redis.Requests.request;
import static io.holdfast.redis.Requests.session;
import static io.holdfast.redis.Requests.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockMode;
import io.holdfast.SessionId;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.record.RevokeWhen;
import io.holdfast.redis.RedisServerTestBase;
import io.holdfast.redis.kit.RewritingJedis;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.NamespaceWish;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.ResumableSessions;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.spi.answer.Standing;
import io.holdfast.testing.redis.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is let in, and which servers are not used. */
class RedisAccessTest extends RedisServerTestBase {

  private static final Pattern ACL = Pattern.compile("ACL SETUSER app [^`]*[^`\\s]");
  private static final Pattern CALL = Pattern.compile("call\\(\\s*'([A-Z]+)'");

  private String withUser(String who) {
    return namespace.uri().replace("redis://", "redis://" + who + "@");
  }

  @Test
  void wrongCredentialsAreSaidToBeWrongAndNotTold() {
    server.command("ACL", "SETUSER", "joe", "on", ">right", "~*", "&*", "+@all");

    assertThatThrownBy(() -> connect(withUser("joe:secret")))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("refused the login")
        .hasMessageNotContaining("secret");
    assertThatThrownBy(() -> connect(withUser("nobody:secret")))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("refused the login");
    connect(withUser("joe:right")).close();
  }

  /** Else it would be the default user, who may do more. */
  @Test
  void aUserWithoutAPasswordIsThatUser() {
    server.command("ACL", "SETUSER", "open", "on", "nopass", "~*", "&*", "+@all");
    server.command("ACL", "SETUSER", "closed", "on", ">pw", "~*", "&*", "+@all");

    try (LockBackend backend = connect(withUser("open"))) {
      session(backend);
      assertThat(server.command("CLIENT", "LIST").lines())
          .filteredOn(line -> line.contains(" name=holdfast "))
          .isNotEmpty()
          .allMatch(line -> line.contains(" user=open "));
    }
    assertThatThrownBy(() -> connect(withUser("closed")))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("refused the login");
  }

  @Test
  void theAclThatTheDocumentationGivesIsEnough() throws Exception {
    Matcher documented = ACL.matcher(Files.readString(Path.of("..", "docs/backends/redis.md")));
    assertThat(documented.find()).isTrue();
    String acl =
        documented.group().replace("PASSWORD", "pw").replace("holdfast:", namespace.prefix() + ":");
    assertThat(server.command(acl.split("\\s+", -1))).isEqualTo("OK");
    session(namespace.backend());
    namespace.endGuard();
    try (LockBackend backend = connect(withUser("app:pw"))) {
      SessionId mine = session(backend);
      Request first = request(mine, "a", IfHeld.QUEUE);
      take(backend, first);
      try (AutoCloseable listening = backend.listen(mine, name -> {}, soon())) {
        Request second = request(mine, "a", IfHeld.QUEUE);
        Request third = request(mine, "a", IfHeld.QUEUE).with(LockMode.SHARED);
        backend.grab(second, soon());
        backend.grab(third, soon());
        assertThat(backend.look(mine, List.of(second.key(), third.key()), soon()))
            .allMatch(Standing.Waiting.class::isInstance);
        backend.release(first.name(), first.id(), soon());
        assertThat(backend.downgrade(second.key(), soon())).isPresent();
        backend.inspect(first.name(), soon());
        backend.releaseAfter(second.key(), Duration.ofMinutes(1), soon());
        long number = take(backend, third).number();
        backend.overtake(third, observed(second, number), soon());
        backend.revoke(observed(second, number), RevokeWhen.SAFELY, soon());
        backend.revoke(observed(third, number), RevokeWhen.SAFELY, soon());
        backend.acknowledge(third.id(), soon());
        backend.release(third.name(), third.id(), soon());
      }
      assertThat(backend.renew(mine, soon())).isInstanceOf(Renewed.Alive.class);
      Request held = request(mine, "b", IfHeld.REFUSE);
      Request waits = request(mine, "b", IfHeld.QUEUE);
      take(backend, held);
      backend.grab(waits, soon());
      assertThat(((ResumableSessions) backend).resume(mine, soon()).orElseThrow().requests())
          .containsExactlyInAnyOrder(held.key(), waits.key());
      assertThat(backend.list("", Optional.empty(), 9, soon())).hasSize(1);
      backend.release(waits.name(), waits.id(), soon());
      backend.release(held.name(), held.id(), soon());
      assertThat(backend.list("", Optional.empty(), 9, soon())).isEmpty();
      backend.sweep(soon());
      backend.end(mine, EndIf.CLOSED, soon());
    }
  }

  /** Some are called in a state that a lock is seldom in. */
  @Test
  void theAclThatTheDocumentationGivesNamesAllCommandsOfTheScripts() throws Exception {
    Matcher documented = ACL.matcher(Files.readString(Path.of("..", "docs/backends/redis.md")));
    assertThat(documented.find()).isTrue();
    Set<String> called = new TreeSet<>();
    try (Stream<Path> files = Files.walk(Path.of("src/main/resources"))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".lua")).toList()) {
        Matcher call = CALL.matcher(Files.readString(file));
        while (call.find()) {
          called.add("+" + call.group(1).toLowerCase(Locale.ROOT));
        }
      }
    }
    called.remove("+scan"); // Of retiring alone, as the documentation says.
    assertThat(called).hasSizeGreaterThan(15);
    assertThat(documented.group().replace("|get", "").split("\\s+", -1))
        .contains(called.toArray(String[]::new));
  }

  @Test
  void aUserWithoutRightsIsToldWhichIsMissing() {
    server.command("ACL", "SETUSER", "stranger", "on", ">pw", "~other*", "+@all");

    assertThatThrownBy(() -> connect(withUser("stranger:pw")))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("lacks a permission");
  }

  /** Then its waiters poll from the start, and a warning says why. */
  @ParameterizedTest
  @ValueSource(strings = {"publish", "subscribe", "channel"})
  void aUserWithoutHintsIsToldWhichPermissionIsMissing(String missing) throws Exception {
    boolean isCommand = !missing.equals("channel");
    server.command(
        "ACL", "SETUSER", missing, "on", ">pw", "~*", isCommand ? "&*" : "resetchannels");
    server.command("ACL", "SETUSER", missing, "+@all", isCommand ? "-" + missing : "+@all");
    try (LockBackend backend = connect(withUser(missing + ":pw"))) {
      SessionId mine = session(backend);

      assertThatThrownBy(() -> backend.listen(mine, name -> {}, soon()))
          .isInstanceOf(BackendUnusableException.class)
          .hasMessageContainingAll("lacks a permission", missing);
    }
  }

  @Test
  void aReplicaIsRefused() {
    try (RedisServer replica = RedisServer.replicaOf(server)) {
      assertThatThrownBy(() -> connect(replica.uri()))
          .isInstanceOf(BackendUnusableException.class)
          .hasMessageContaining("is a replica");
    }
  }

  @Test
  void aServerThatMayEvictIsRefused() {
    for (String policy : new String[] {"allkeys-lru", "volatile-ttl"}) {
      try (RedisServer forgetful = RedisServer.launch("--maxmemory-policy", policy)) {
        assertThatThrownBy(() -> connect(forgetful.uri()))
            .isInstanceOf(BackendUnusableException.class)
            .hasMessageContaining("maxmemory-policy is " + policy);
      }
    }
  }

  @Test
  void aServerThatIsTooOldIsRefused() {
    try (FakeServer old =
        FakeServer.answering(
            "*5", "$5", "3.2.1", "$6", "master", "$10", "noeviction", "$1", "0", "$1", "1")) {
      assertThatThrownBy(() -> connect(old.uri()))
          .isInstanceOf(BackendUnusableException.class)
          .hasMessageContaining("is Redis 3.2.1");
    }
  }

  /** As some proxies do: nobody would notice a restart that has lost grants. */
  @Test
  void aServerThatHidesWhichRunItIsIsRefused() {
    for (String field : List.of("run_id", "master_replid")) {
      try (RewritingJedis hiding =
          new RewritingJedis(
              server.port(), 8, text -> text.replace("'" + field + "'", "'hidden'"))) {
        assertThatThrownBy(() -> namespace.backend(hiding, guard(RestartGuard.ON), () -> {}))
            .isInstanceOf(BackendUnusableException.class)
            .hasMessageContainingAll(field, "restartGuard=off");
        LockBackend unguarded = namespace.backend(hiding, guard(RestartGuard.OFF), () -> {});
        take(unguarded, request(session(unguarded), field, IfHeld.REFUSE));
        assertThat(hiding.changed()).isPositive();
      }
    }
    try (FakeServer hiding =
        FakeServer.answering(
            "*5", "$5", "7.0.0", "$6", "master", "$10", "noeviction", "$1", "0", "$1", "0")) {
      assertThatThrownBy(() -> connect(hiding.uri()))
          .isInstanceOf(BackendUnusableException.class)
          .hasMessageContaining("run_id");
    }
  }

  private static BackendOptions guard(RestartGuard guard) {
    return new BackendOptions(NamespaceWish.NONE, guard);
  }

  @Test
  void aKeyOfAnotherTypeIsRefused() {
    server.command("SET", namespace.key("namespace"), "mine");

    assertThatThrownBy(() -> connect(namespace.uri()))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("is not ours");
  }

  @Test
  void aLockOfAnotherTypeIsRefusedAndTheOthersWork() {
    LockBackend backend = backend();
    SessionId mine = session(backend);
    server.command("SADD", namespace.key("lock:a"), "mine");
    server.command("SET", namespace.key("lock:b"), "mine");

    for (String name : List.of("a", "b")) {
      assertThatThrownBy(() -> backend.grab(request(mine, name, IfHeld.QUEUE), soon()))
          .isInstanceOf(BackendUnusableException.class)
          .hasMessageContaining("is not ours");
    }
    take(backend, request(mine, "c", IfHeld.QUEUE));
  }

  @Test
  void recordsOfAnotherVersionAreRefused() {
    LockBackend backend = backend();
    SessionId mine = session(backend);
    server.command("HSET", namespace.key("namespace"), "protocol", "99");

    assertThatThrownBy(() -> connect(namespace.uri()))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("protocol version 99");
    assertThatThrownBy(() -> backend.renew(mine, soon()))
        .isInstanceOf(BackendUnusableException.class);
  }
}
