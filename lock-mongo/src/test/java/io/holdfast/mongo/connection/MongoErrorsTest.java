package io.holdfast.mongo.connection;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoClientException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoCredential;
import com.mongodb.MongoException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoSocketOpenException;
import com.mongodb.MongoSocketReadException;
import com.mongodb.MongoSocketReadTimeoutException;
import com.mongodb.MongoSocketWriteException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.ServerAddress;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import java.io.IOException;
import java.util.stream.Stream;
import javax.security.sasl.SaslException;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MongoErrorsTest {

  private static final ServerAddress SERVER = new ServerAddress("db.example");
  private static final MongoCredential USER =
      MongoCredential.createCredential("app", "admin", "secret".toCharArray());
  private static final MongoErrors ERRORS = new MongoErrors("mongodb://db.example/app");

  private static MongoCommandException answer(String json) {
    return new MongoCommandException(BsonDocument.parse(json), SERVER);
  }

  private static MongoCommandException answer(int code) {
    return answer("{ok: 0, code: %d, errmsg: 'as it says'}".formatted(code));
  }

  private static Effect effect(MongoException e) {
    RuntimeException failure = ERRORS.failure(e, Effect.NONE);
    assertThat(failure).isInstanceOf(BackendFailure.class);
    return ((BackendFailure) failure).effect();
  }

  /** The codes alone do not show whether a write was applied. */
  @ParameterizedTest
  @ValueSource(
      ints = {6, 7, 50, 64, 89, 91, 100, 189, 217, 225, 262, 10107, 11600, 11602, 13435, 13436, 1})
  void whatAPrimaryAnswersInTroubleMayHaveBeenDone(int code) {
    assertThat(effect(answer(code))).isEqualTo(Effect.UNKNOWN);
  }

  static Stream<MongoException> brokenOff() {
    return Stream.of(
        new MongoSocketReadException("gone", SERVER, new IOException()),
        new MongoSocketReadTimeoutException("late", SERVER, new IOException()),
        new MongoInterruptedException("interrupted", new InterruptedException()),
        new MongoOperationTimeoutException("late"));
  }

  @ParameterizedTest
  @MethodSource("brokenOff")
  void whatWasBrokenOffMayHaveBeenDone(MongoException e) {
    assertThat(effect(e)).isEqualTo(Effect.UNKNOWN);
  }

  static Stream<MongoException> notSent() {
    return Stream.of(
        new MongoTimeoutException("no server"),
        new MongoSocketOpenException("refused", SERVER, new IOException()),
        answer(112),
        answer("{ok: 0, code: 11600, errmsg: 'x', errorLabels: ['NoWritesPerformed']}"));
  }

  @ParameterizedTest
  @MethodSource("notSent")
  void whatWasNotSentOrWasUndoneHasNoEffectButThatOfTheStepsBefore(MongoException e) {
    assertThat(effect(e)).isEqualTo(Effect.NONE);
    assertThat(((BackendFailure) ERRORS.failure(e, Effect.UNKNOWN)).effect())
        .isEqualTo(Effect.UNKNOWN);
  }

  /** The driver wraps whatever fails while a connection logs in. */
  private static MongoSecurityException login(Throwable cause) {
    return new MongoSecurityException(USER, "Exception authenticating", cause);
  }

  static Stream<Throwable> brokenOffLogins() {
    return Stream.of(
        new MongoSocketReadException("gone", SERVER, new IOException("reset")),
        new MongoSocketReadTimeoutException("late", SERVER, new IOException()),
        new MongoSocketWriteException("gone", SERVER, new IOException()),
        new MongoTimeoutException("late"),
        answer(91),
        answer(11600),
        answer(133),
        answer(6),
        answer(202));
  }

  @ParameterizedTest
  @MethodSource("brokenOffLogins")
  void aLoginThatWasBrokenOffIsNoRefusalAndTheCommandWasNotSent(Throwable cause) {
    assertThat(effect(login(cause))).isEqualTo(Effect.NONE);
    assertThat(((BackendFailure) ERRORS.failure(login(cause), Effect.UNKNOWN)).effect())
        .isEqualTo(Effect.UNKNOWN);
    assertThat(ERRORS.failure(login(cause), Effect.NONE))
        .hasMessageContaining("cannot be reached")
        .hasMessageContaining(cause.getMessage());
  }

  static Stream<MongoSecurityException> refusedLogins() {
    return Stream.of(
        login(answer(18)),
        login(answer(11)),
        login(answer(13)),
        login(answer(334)),
        login(answer(8000)),
        login(new SaslException("Server signature was invalid.")),
        new MongoSecurityException(USER, "This JDK does not support the SASL mechanism"));
  }

  @ParameterizedTest
  @MethodSource("refusedLogins")
  void aLoginThatWasRefusedIsNotRepeated(MongoSecurityException e) {
    assertThat(ERRORS.failure(e, Effect.NONE))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("refused the login");
  }

  /** The driver wraps this answer to a write that it would repeat, and leaves out the code. */
  @Test
  void aDeploymentWithoutTransactionNumbersIsNamedSo() {
    MongoException e =
        new MongoClientException(
            "This MongoDB deployment does not support retryable writes.", answer(20));

    assertThat(ERRORS.failure(e, Effect.NONE))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("transaction numbers")
        .hasMessageContaining("retryWrites=false");
  }

  /** The key exists, but its document may still be rolled back. */
  @Test
  void aRefusalThatNoMajorityConfirmsIsInDoubt() {
    MongoException refusal =
        answer("{ok: 0, code: 11000, errmsg: 'x', writeConcernError: {code: 64, errmsg: 'y'}}");

    assertThat(MongoErrors.hasWriteConcernError(refusal)).isTrue();
    assertThat(effect(refusal)).isEqualTo(Effect.UNKNOWN);
  }

  @Test
  void aServerWithoutAJournalIsNamedSo() {
    MongoException e =
        answer(
            """
            {ok: 0, code: 2, codeName: 'BadValue',
             errmsg: "cannot use 'j' option when a host does not have journaling enabled"}""");

    assertThat(ERRORS.failure(e, Effect.NONE))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("keeps no journal");
  }

  @ParameterizedTest
  @CsvSource({
    "11, refused the login",
    "18, refused the login",
    "85, index",
    "86, index",
    "148, enableMajorityReadConcern",
    "13297, capital letters"
  })
  void whatAnOperatorCanMendIsNamed(int code, String words) {
    assertThat(ERRORS.failure(answer(code), Effect.NONE))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("as it says")
        .hasMessageContaining(words);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        2, 9, 11, 13, 18, 20, 26, 40, 59, 66, 73, 85, 86, 121, 123, 148, 166, 224, 323, 10334,
        13297, 17419
      })
  void whatCannotHelpIsNotRepeated(int code) {
    assertThat(ERRORS.failure(answer(code), Effect.NONE))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("db.example");
  }
}
