package io.holdfast.jdbc.h2;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import java.sql.SQLException;
import org.h2.api.ErrorCode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class H2ErrorsTest {

  /**
   * The process has ended that had the file open, and H2's driver has tried to open it instead. The
   * statement may have been done before.
   */
  @ParameterizedTest
  @ValueSource(ints = {ErrorCode.DATABASE_ALREADY_OPEN_1, ErrorCode.ERROR_OPENING_DATABASE_1})
  void aStatementMayBeDoneWhoseConnectionWasMadeAnewInVain(int code) {
    H2Database database =
        new H2Database(new H2Uri("jdbc:h2:/locks;AUTO_SERVER=TRUE"), ServerSettings.standard());

    RuntimeException failure =
        database.failure(new SQLException("Concurrent update", "HY000", code), Effect.NONE);

    assertThat(failure).isInstanceOf(BackendFailure.class);
    assertThat(((BackendFailure) failure).effect()).isEqualTo(Effect.UNKNOWN);
  }
}
