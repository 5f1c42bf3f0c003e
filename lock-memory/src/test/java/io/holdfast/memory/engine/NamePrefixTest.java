package io.holdfast.memory.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.LockName;
import io.holdfast.error.BadRequestException;
import io.holdfast.record.LockRecord;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A prefix is part of the name in the store, and of no name that its client's user sees. */
class NamePrefixTest {

  private final String uri = "memory:" + UUID.randomUUID();
  private final LockClient shop = Holdfast.builder().namePrefix("shop/").connect(uri);
  private final LockClient whole = Holdfast.connect(uri);

  @AfterEach
  void close() {
    shop.close();
    whole.close();
  }

  @ParameterizedTest
  @MethodSource
  void aPrefixWithWhichNoNameBeginsIsRefusedAtOnce(String bad) {
    assertThatThrownBy(() -> Holdfast.builder().namePrefix(bad))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("prefix of names");
  }

  static Stream<String> aPrefixWithWhichNoNameBeginsIsRefusedAtOnce() {
    return Stream.of("shop\n", "ü".repeat(LockName.BYTES_MAX / 2), "\ud800");
  }

  @Test
  void aPrefixedLockIsTheLockOfTheWholeName() {
    try (Grant grant = shop.lock("orders").acquire()) {
      assertThat(grant.name()).isEqualTo(new LockName("orders"));
      assertThat(whole.lock("shop/orders").tryAcquire()).isEmpty();
      assertThat(whole.lock("orders").tryAcquire()).hasValueSatisfying(Grant::close);
    }
  }

  @Test
  void whoLooksThroughAPrefixSeesNamesWithoutItAndNoOthers() {
    try (Grant inside = shop.lock("orders").acquire();
        Grant outside = whole.lock("orders").acquire()) {
      assertThat(shop.list("").map(LockRecord::name)).containsExactly(inside.name());
      assertThat(shop.find("orders").orElseThrow().token()).contains(inside.token());
      assertThat(whole.list("shop/").map(found -> found.name().value()))
          .containsExactly("shop/orders");
      assertThat(whole.find("orders").orElseThrow().token()).contains(outside.token());
    }
  }

  @Test
  void whatWasSeenThroughAPrefixIsRevokedThroughIt() {
    try (Grant inside = shop.lock("orders").acquire();
        Grant outside = whole.lock("orders").acquire()) {
      LockRecord seen = shop.find("orders").orElseThrow();

      assertThat(shop.revoke(seen, RevokeWhen.NOW)).isInstanceOf(Revocation.Freed.class);

      assertThat(whole.find("shop/orders").flatMap(LockRecord::holder)).isEmpty();
      assertThat(whole.find("orders").flatMap(LockRecord::holder)).isPresent();
      assertThat(outside.isHeld()).isTrue();
      assertThat(inside.name()).isEqualTo(seen.name());
    }
  }

  @Test
  void aPrefixCountsForTheLengthOfAName() {
    assertThatThrownBy(() -> shop.lock("x".repeat(LockName.BYTES_MAX)))
        .isInstanceOf(BadRequestException.class);
  }
}
