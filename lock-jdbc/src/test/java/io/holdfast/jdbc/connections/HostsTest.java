package io.holdfast.jdbc.connections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.spi.Deadline;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostsTest {

  private static final Deadline HOUR = Deadline.in(Duration.ofHours(1));

  private final List<String> logins = new ArrayList<>();

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "jdbc:postgresql:app 3600",
        "jdbc:postgresql://db/app 3600",
        "jdbc:postgresql://db1:5432,db2:5433/app?user=a,b 900",
        "jdbc:mariadb:sequential://db1,db2,db3:3307/app 600",
        "jdbc:mariadb://address=(host=db1)(port=3306),address=(host=db2)/app 1800"
      })
  void eachHostHasAsMuchTimeAsTheOthers(String url, int seconds) {
    assertThatThrownBy(
            () ->
                Hosts.connect(
                    url,
                    HOUR,
                    1,
                    (each, millis) -> {
                      if (each.equals(url)) {
                        assertThat(millis).isBetween((seconds - 60) * 1000, seconds * 1000);
                      }
                      throw new SQLException("down", "08001");
                    }))
        .isInstanceOf(SQLException.class);
  }

  @Test
  void whatTheServerAnswersIsToldThoughTheLastHostIsDown() {
    assertThatThrownBy(
            () ->
                Hosts.connect(
                    "jdbc:postgresql://one:5432,[::1]/app?user=a",
                    HOUR,
                    1,
                    (url, millis) -> {
                      logins.add(url);
                      throw url.contains("//one:5432/")
                          ? new SQLException("password authentication failed", "28P01", 7)
                          : new SQLException("refused", "08001");
                    }))
        .isInstanceOfSatisfying(
            SQLException.class,
            e -> {
              assertThat(e.getSQLState()).isEqualTo("28P01");
              assertThat(e.getErrorCode()).isEqualTo(7);
            })
        .hasMessage(
            "postgresql://one:5432/app: password authentication failed; postgresql://[::1]/app: refused");
    assertThat(logins)
        .containsExactly(
            "jdbc:postgresql://one:5432,[::1]/app?user=a",
            "jdbc:postgresql://one:5432/app?user=a",
            "jdbc:postgresql://[::1]/app?user=a");
  }

  @Test
  void aHostThatHasAnsweredIsNotAskedAgain() {
    assertThatThrownBy(
            () ->
                Hosts.connect(
                    "jdbc:mariadb://one,two/app",
                    HOUR,
                    1,
                    (url, millis) -> {
                      logins.add(url);
                      throw new SQLException("Too many connections", "42000", 1040);
                    }))
        .hasMessage("Too many connections");
    assertThat(logins).hasSize(1);
  }

  @Test
  void whoeverHasNoTimeLeftIsToldWhatTheDriverSays() {
    assertThatThrownBy(
            () ->
                Hosts.connect(
                    "jdbc:mariadb://one,two/app",
                    Deadline.in(Duration.ofMillis(1)),
                    1,
                    (url, millis) -> {
                      logins.add(url);
                      throw new SQLException("refused", "08001");
                    }))
        .hasMessage("refused");
    assertThat(logins).hasSize(1);
  }

  /** Where each had it, the last of many would have its turn when the time is over. */
  @ParameterizedTest
  @CsvSource({"1, 1, 5000", "1, 2, 2500", "10, 2, 5000", "10, 4, 2500"})
  void whatALoginGetsInAnyCaseIsForAllHostsTogether(int seconds, int hosts, int millisOfEach) {
    String url = "jdbc:mariadb://%s/app".formatted("db,".repeat(hosts - 1) + "db");
    List<Integer> given = new ArrayList<>();
    assertThatThrownBy(
            () ->
                Hosts.connect(
                    url,
                    Deadline.in(Duration.ofSeconds(seconds)),
                    5000,
                    (each, millis) -> {
                      given.add(millis);
                      throw new SQLException("Too many connections", "42000", 1040);
                    }))
        .isInstanceOf(SQLException.class);
    assertThat(given)
        .singleElement()
        .satisfies(millis -> assertThat(millis).isBetween(millisOfEach - 1000, millisOfEach));
  }
}
