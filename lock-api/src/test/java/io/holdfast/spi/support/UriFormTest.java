package io.holdfast.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.error.BadRequestException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UriFormTest {

  private static final UriForm FORM =
      new UriForm(
          "any store", "any://host:1", "any", "anys", 99, List.of("tick"), List.of("ca", "cert"));

  @Test
  void aHostAloneIsEnough() {
    StoreUri uri = FORM.parse("any://h");

    assertThat(uri)
        .isEqualTo(new StoreUri("any", false, Optional.empty(), List.of("h:99"), "", Map.of()));
  }

  @Test
  void everythingCanBeSaid() {
    StoreUri uri =
        FORM.parse("ANYS://m%65:p%40s+@s:@one:1,two,[::1]:3/shop/a%20b//?tick=7&ca=/a%26b@c");

    assertThat(uri)
        .isEqualTo(
            new StoreUri(
                "anys",
                true,
                Optional.of(new StoreUri.Login("me", "p@s+@s:")),
                List.of("one:1", "two:99", "[::1]:3"),
                "shop/a b",
                Map.of("tick", "7", "ca", "/a&b@c")));
    assertThat(uri.address()).isEqualTo("anys://one:1,two:99,[::1]:3");
  }

  @ParameterizedTest
  @CsvSource({"any://u:p@h, u, p, true", "any://u@h, u, '', false", "any://:p@h, '', p, false"})
  void halfALoginIsNotAWholeOne(String text, String user, String password, boolean whole) {
    StoreUri uri = FORM.parse(text);

    assertThat(uri.login()).contains(new StoreUri.Login(user, password));
    if (whole) {
      FORM.requireWholeLogin(uri);
    } else {
      assertThatThrownBy(() -> FORM.requireWholeLogin(uri))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("user:password@");
    }
  }

  @Test
  void noLoginIsAWholeOne() {
    assertThatCode(() -> FORM.requireWholeLogin(FORM.parse("any://h"))).doesNotThrowAnyException();
  }

  @Test
  void passwordsAreNotShown() {
    StoreUri uri = FORM.parse("anys://me:secret@h/path?ca=secret");

    assertThat(uri.toString()).isEqualTo("anys://h:99/path");
    assertThat(uri.login().orElseThrow().toString()).isEqualTo("me");
  }

  @ParameterizedTest
  @CsvSource({
    "any://h, true",
    "ANYS:h, true",
    "any:, true",
    "anyone://h, false",
    "an://h, false",
    "any, false"
  })
  void theSchemeAloneDecidesWhoseItIs(String uri, boolean accepted) {
    assertThat(FORM.accepts(uri)).isEqualTo(accepted);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "any://",
        "any:h",
        "any:///path",
        "other://h",
        "any://h,",
        "any://h:port",
        "any://h:0",
        "any://h:65536",
        "any://h#part",
        "any://h?tick",
        "any://h?tick=1&tick=2",
        "any://h?tock=1",
        "any://h?ca=x",
        "any://u:%secret@h",
        "any://u:secret/x@h",
        "any://u:1/secret@h",
        "any://u:1?secret@h",
        "any://u:1?x=secret@h"
      })
  void whatIsMalformedIsRefusedWithoutShowingIt(String uri) {
    assertThatThrownBy(() -> FORM.parse(uri))
        .isInstanceOf(BadRequestException.class)
        .hasMessageStartingWith("The URI does not name any store: ")
        .hasMessageEndingWith("Give one such as any://host:1")
        .hasMessageNotContaining("secret");
  }

  @Test
  void anUnknownOptionIsAnsweredWithTheKnownOnes() {
    assertThatThrownBy(() -> FORM.parse("any://h?tock=1")).hasMessageContaining("tick, ca, cert");
    assertThatThrownBy(() -> FORM.parse("any://h?ca=x"))
        .hasMessageContaining("the option ca is for anys://");
  }
}
