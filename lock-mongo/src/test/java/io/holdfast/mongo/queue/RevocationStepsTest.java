package io.holdfast.mongo.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockName;
import io.holdfast.mongo.InterleavedTestBase;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Released;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import java.time.Duration;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

/** What a holder does between two commands of one who revokes its grant. */
class RevocationStepsTest extends InterleavedTestBase {

  private static final int COMMANDS_MAX = 20;

  RevocationStepsTest() {
    super("revocations", StoreFixture.options());
  }

  /**
   * Revokes one grant after the other while its holder shares its lock, before the first command of
   * the revocation, before the second, and so on. Who has been told to give a grant up must not be
   * said to hold another one.
   */
  private void revokeEachWhileItIsShared(
      Function<SpiClient, Function<Observed, Revocation>> revoke) {
    SpiClient operator = clientUnderTest();
    SpiClient holder = client();
    for (int step = 1; step <= COMMANDS_MAX; step++) {
      LockName name = new LockName("step/" + step);
      Held held = holder.hold(name);
      for (int before = 1; before < step; before++) {
        meanwhile.add(InterleavedTestBase::nothing);
      }
      meanwhile.add(() -> holder.downgrade(held));

      Revocation revocation = revoke.apply(operator).apply(held.observed());

      boolean isTold = holder.toldRevoked().contains(held.request().id());
      assertThat(revocation instanceof Revocation.Changed)
          .as("%s before command %s, told: %s", revocation, step, isTold)
          .isEqualTo(!isTold);
      assertThat(holder.isFree(name)).isEqualTo(revocation instanceof Revocation.Freed);
      if (revocation instanceof Revocation.Marked) {
        assertThat(holder.holder(name).revokedAt()).isPresent();
      }
      holder.acknowledge(held.request());
      if (!meanwhile.isEmpty()) {
        meanwhile.clear();
        assertThat(step).isGreaterThan(2);
        return;
      }
    }
    throw new AssertionError("A revocation has more than " + COMMANDS_MAX + " commands.");
  }

  @Test
  void aHolderIsRevokedThatSharesItsLockMeanwhile() {
    revokeEachWhileItIsShared(operator -> held -> operator.revoke(held, RevokeWhen.SAFELY));
  }

  @Test
  void aHolderIsEvictedThatSharesItsLockMeanwhile() {
    revokeEachWhileItIsShared(operator -> held -> operator.revoke(held, RevokeWhen.NOW));
  }

  @Test
  void aHolderIsGivenNoticeThatSharesItsLockMeanwhile() {
    revokeEachWhileItIsShared(
        operator ->
            held -> operator.backend().revokeIn(held, Duration.ofHours(1), StoreFixture.soon()));
  }

  /** Those who share a record that was made late raise its number, and hold what they held. */
  @Test
  void aHolderIsRevokedWhoseNumberIsRaisedMeanwhile() {
    SpiClient holder = client();
    Held first = holder.share(LOCK);
    past.getDatabase(database)
        .getCollection("holdfast_locks", BsonDocument.class)
        .updateOne(
            BsonDocument.parse("{}"), BsonDocument.parse("{$set: {base: {$numberLong: '7'}}}"));
    Observed low = new Observed(LOCK, 8, first.request().id());
    SpiClient operator = clientUnderTest();
    meanwhile.add(InterleavedTestBase::nothing); // The lock is read,
    meanwhile.add(InterleavedTestBase::nothing); // and the holder is told.
    meanwhile.add(() -> assertThat(holder.holding(first.request()).number()).isGreaterThan(8));

    assertThat(operator.revoke(low, RevokeWhen.SAFELY)).isInstanceOf(Revocation.Marked.class);

    assertThat(holder.toldRevoked()).containsExactly(first.request().id());
    assertThat(holder.holder(LOCK).revokedAt()).isPresent();
  }

  /** Nothing is left to be revoked, and whoever holds now is not affected. */
  @Test
  void whoHoldsAfterOneThatReleasesMeanwhileIsNotRevoked() {
    SpiClient holder = client();
    Held held = holder.hold(LOCK);
    SpiClient next = client();
    SpiClient operator = clientUnderTest();
    meanwhile.add(InterleavedTestBase::nothing);
    meanwhile.add(InterleavedTestBase::nothing);
    meanwhile.add(
        () -> {
          assertThat(holder.release(held)).isEqualTo(Released.FREED);
          next.hold(LOCK);
        });

    assertThat(operator.revoke(held.observed(), RevokeWhen.SAFELY))
        .isEqualTo(new Revocation.Changed());

    assertThat(next.toldRevoked()).isEmpty();
    assertThat(next.holder(LOCK).revokedAt()).isEmpty();
  }
}
