package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.error.BadRequestException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The table of fencing tokens, which an administrator may make from the page. */
class FenceDdlTest {

  @Test
  void thePageShowsTheTableAsItIsMade() {
    assertThat(Path.of("..", "docs", "fencing.md"))
        .content()
        .contains(FenceTable.POSTGRES.create(JdbcFencing.TABLE_DEFAULT));
  }

  @Test
  void aTableMayBeInAnotherSchemaAndItsNameIsNoStatement() {
    assertThat(new JdbcFencing("shop.fences")).isNotNull();
    assertThatThrownBy(() -> new JdbcFencing("fences; DROP TABLE orders"))
        .isInstanceOf(BadRequestException.class);
  }
}
