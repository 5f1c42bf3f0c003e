package io.holdfast.etcd.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.error.BadRequestException;
import io.holdfast.etcd.format.Keys;
import io.holdfast.spi.support.StoreUri;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EtcdUriTest {

  @Test
  void membersArePortsOfHosts() {
    EtcdUri uri = EtcdUri.parse("etcd://one:1,two,[::1]:3");

    assertThat(uri.cluster().hosts()).containsExactly("one:1", "two:2379", "[::1]:3");
    assertThat(uri.cluster().tls()).isFalse();
    assertThat(uri.cluster().login()).isEmpty();
    assertThat(uri.prefix()).isEqualTo("holdfast");
  }

  @Test
  void whatFollowsTheMembersIsThePrefix() {
    assertThat(EtcdUri.parse("etcd://h/shop/locks/").prefix()).isEqualTo("shop/locks");
    assertThat(EtcdUri.parse("etcd://h/").prefix()).isEqualTo("holdfast");
  }

  @Test
  void userAndPasswordAreDecodedAndNotShown() {
    EtcdUri uri = EtcdUri.parse("ETCDS://me:s%40c+ret@h?ca=/a%20b&authority=etcd.example");

    assertThat(uri.cluster().login()).contains(new StoreUri.Login("me", "s@c+ret"));
    assertThat(uri.cluster().tls()).isTrue();
    assertThat(uri.cluster().options())
        .containsEntry("ca", "/a b")
        .containsEntry("authority", "etcd.example");
    assertThat(uri.describe()).isEqualTo("etcds://h:2379/holdfast");
    assertThat(uri.toString()).doesNotContain("c+ret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "etcd://",
        "etcd:h",
        "etcd:///p",
        "etcd://h,",
        "etcd://h:port",
        "etcd://secret@h",
        "etcd://u:%secret@h",
        "etcd://u:secret/x@h",
        "etcd://u:1/secret@h",
        "etcds://u:1?secret@h",
        "etcd://h?ca=x",
        "etcds://h?x=y",
        "etcds://h?cert=x",
        "etcds://u:secret@h?ca",
        "etcds://h,shop_etcd_1",
        "etcd://h#p"
      })
  void whatIsMalformedIsRefusedWithoutShowingIt(String uri) {
    assertThatThrownBy(() -> EtcdUri.parse(uri))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("etcd://host:2379")
        .hasMessageNotContaining("secret");
  }

  /** A certificate can be compared with a name that is given, not with such a host's. */
  @Test
  void aHostWithAnUnderscoreIsOne() {
    assertThat(EtcdUri.parse("etcd://shop_etcd_1").cluster().hosts())
        .containsExactly("shop_etcd_1:2379");
    assertThat(EtcdUri.parse("etcds://shop_etcd_1?authority=etcd.example").cluster().hosts())
        .containsExactly("shop_etcd_1:2379");
  }

  @Test
  void aPrefixWithOtherCharactersIsRefused() {
    assertThatThrownBy(() -> new Keys("a:b")).isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> new Keys("")).isInstanceOf(BadRequestException.class);
  }
}
