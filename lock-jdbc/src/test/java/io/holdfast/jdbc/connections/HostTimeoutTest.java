package io.holdfast.jdbc.connections;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Deadline;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostTimeoutTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "jdbc:postgresql:app 3600",
        "jdbc:postgresql://db/app 3600",
        "jdbc:postgresql://db1:5432,db2:5433/app?user=a,b 1800",
        "jdbc:mariadb:sequential://db1,db2,db3:3307/app 1200",
        "jdbc:mariadb://address=(host=db1)(port=3306),address=(host=db2)/app 1800"
      })
  void eachHostHasAsMuchTimeAsTheOthers(String url, int seconds) {
    assertThat(HostTimeout.millis(url, Deadline.in(Duration.ofHours(1))))
        .isBetween((seconds - 60) * 1000, seconds * 1000);
  }
}
