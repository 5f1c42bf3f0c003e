package io.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerConnectionTest {

  /** A session of one second renews within 250 ms. */
  @ParameterizedTest
  @CsvSource({"5000, 4750", "1000, 750", "250, 188", "100, 75", "2, 2", "0, 1"})
  void replicasHaveMostOfTheTimeToAcknowledge(int remaining, int within) {
    assertThat(ServerConnection.acknowledgeWithin(remaining)).isEqualTo(within);
  }
}
