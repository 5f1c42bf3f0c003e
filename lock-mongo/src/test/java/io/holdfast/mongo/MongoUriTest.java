package io.holdfast.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.error.BadRequestException;
import io.holdfast.mongo.connection.Connections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MongoUriTest {

  @ParameterizedTest
  @CsvSource({
    "mongodb://h, holdfast, holdfast_",
    "mongodb://h/app, app, holdfast_",
    "mongodb://h/app?holdfastPrefix=x_, app, x_",
    "mongodb://h/app?holdfastPrefix=x_&w=1, app, x_",
    "mongodb://h/app?w=1&holdfastPrefix=x_&appName=y, app, x_",
    "mongodb://h/app?w=1&holdfastPrefix=x_, app, x_",
    "MONGODB://h/app, app, holdfast_",
  })
  void theDatabaseAndThePrefixAreTakenFromTheUri(String uri, String database, String prefix) {
    assertThat(MongoUri.isOne(uri)).isTrue();
    assertThat(MongoUri.of(uri.replace("MONGODB", "mongodb")).names())
        .isEqualTo(new MongoNames(database, prefix));
  }

  @ParameterizedTest
  @ValueSource(strings = {"mongodb", "redis://h", "jdbc:mongodb://h", "mongodb+srvx://h"})
  void otherUrisAreOthers(String uri) {
    assertThat(MongoUri.isOne(uri)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mongodb://",
        "mongodb://h:port",
        "mongodb://app:se/cret@h",
        "mongodb://app:secret@h:0",
        "mongodb://h/app?holdfastPrefix=$x",
        "mongodb://h/app?holdfastPrefix=%zz",
        "mongodb://h/app?holdfastPrefix=system.",
        "mongodb://app:secret@h/admin"
      })
  void aUriThatIsWrongIsRefusedWithoutShowingThePassword(String uri) {
    assertThatThrownBy(() -> MongoUri.of(uri))
        .isInstanceOf(BadRequestException.class)
        .message()
        .doesNotContain("cret");
  }

  /**
   * A member keeps its database "local" to itself, so its locks would not pass to a new primary.
   */
  @ParameterizedTest
  @ValueSource(strings = {"local", "admin", "config"})
  void theDatabasesOfMongoDbItselfAreRefused(String database) {
    assertThatThrownBy(() -> MongoUri.of("mongodb://h/" + database))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("\"" + database + "\"");
    assertThatThrownBy(() -> new MongoNames(database)).isInstanceOf(BadRequestException.class);
  }

  @Test
  void aPathThatNamesTheDatabaseOfTheUserIsToldOfTheOptionForIt() {
    assertThatThrownBy(() -> MongoUri.of("mongodb://app:secret@h/admin"))
        .hasMessageContaining("authSource=admin");
    assertThat(MongoUri.of("mongodb://app:secret@h/app?authSource=admin").names())
        .isEqualTo(new MongoNames("app"));
  }

  @ParameterizedTest
  @CsvSource({"63, d", "31, é", "21, 山"})
  void aNameOfFewerThan64BytesIsAllowed(int length, String character) {
    assertThat(new MongoNames(character.repeat(length)).prefix()).isEqualTo("holdfast_");
  }

  @ParameterizedTest
  @CsvSource({"64, d", "32, é", "22, 山"})
  void aNameThatIsTooLongInUtf8IsRefused(int length, String character) {
    assertThatThrownBy(() -> new MongoNames(character.repeat(length)))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("64 bytes");
  }

  @Test
  void whatIsToldOfTheStoreHasNoPassword() {
    Connections connections = MongoUri.of("mongodb://app:secret@h1,h2:27018/db").connections();
    try {
      assertThat(connections.describe()).isEqualTo("mongodb://h1,h2:27018/db.holdfast_");
    } finally {
      connections.close();
    }
  }
}
