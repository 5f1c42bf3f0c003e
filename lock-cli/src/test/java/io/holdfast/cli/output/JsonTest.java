package io.holdfast.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {

  @Test
  void valuesAreWrittenInTheirOrder() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("b", List.of(1, true, "x"));
    map.put("a", Map.of());
    map.put("c", Arrays.asList(null, List.of()));

    assertThat(Json.write(map)).isEqualTo("{\"b\":[1,true,\"x\"],\"a\":{},\"c\":[null,[]]}");
  }

  @Test
  void textIsEscapedWhereItMustBe() {
    assertThat(Json.write("\"\\\n\t\u0001é€\u009b"))
        .isEqualTo("\"\\\"\\\\\\n\\t\\u0001é€\\u009b\"");
    assertThat(Json.write("😀")).isEqualTo("\"\\ud83d\\ude00\"");
  }

  @Test
  void aNumberThatReadersWouldRoundIsRefused() {
    assertThat(Json.write(1L << 53)).isEqualTo("9007199254740992");
    assertThatThrownBy(() -> Json.write((1L << 53) + 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
