package io.holdfast.benchmarks.rungs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.benchmarks.contender.LockPair;
import io.holdfast.benchmarks.contender.OpenContender;
import io.holdfast.benchmarks.store.BenchmarkStore;
import io.holdfast.benchmarks.store.StoreKind;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RungsTest {

  @ParameterizedTest
  @EnumSource(names = {"SQLITE", "H2"})
  void eachRungTakesItsLockAndLeavesItFree(StoreKind kind) throws Exception {
    try (BenchmarkStore store = kind.start()) {
      List<Rung> rungs = Ladders.of(kind, store);
      for (Rung rung : rungs) {
        try (OpenContender open = rung.contender().open(1)) {
          LockPair pair = open.pair("lock");
          pair.takeAndGiveBack();
          pair.takeAndGiveBack();
        }
      }

      assertThat(rungs).extracting(Rung::adds).doesNotHaveDuplicates();
      assertThat(queues(store)).hasSize(rungs.size() - 3).containsOnly("");
    }
  }

  /** Without the limit, the adapter and the client, which have rows elsewhere. */
  private static List<String> queues(BenchmarkStore store) throws SQLException {
    List<String> queues = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection(store.uri(), "sa", "");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT queue FROM rung_locks")) {
      while (rows.next()) {
        queues.add(rows.getString(1));
      }
    }
    return queues;
  }
}
