package io.holdfast.zookeeper.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.error.BadRequestException;
import io.holdfast.zookeeper.layout.Paths;
import java.time.Duration;
import org.apache.zookeeper.client.ZKClientConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ZookeeperUriTest {

  @Test
  void membersArePortsOfHosts() {
    ZookeeperUri uri = ZookeeperUri.parse("zookeeper://one:1,two,[::1]:3");

    assertThat(uri.servers()).isEqualTo("one:1,two:2181,[::1]:3");
    assertThat(uri.ensemble().tls()).isFalse();
    assertThat(uri.login()).isEmpty();
    assertThat(uri.path()).isEqualTo("/holdfast");
    assertThat(uri.tick()).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void whatFollowsTheMembersIsThePath() {
    assertThat(ZookeeperUri.parse("zookeeper://h/shop/locks/").path()).isEqualTo("/shop/locks");
    assertThat(ZookeeperUri.parse("zookeeper://h/").path()).isEqualTo("/holdfast");
  }

  @Test
  void userAndPasswordsAreDecodedAndNotShown() {
    ZookeeperUri uri =
        ZookeeperUri.parse(
            "ZOOKEEPERS://me:s%40c+ret@h?tickTime=500&trustStore=/a%20b.p12&trustStorePassword=c+ret");

    assertThat(uri.login()).contains("me:s@c+ret");
    assertThat(uri.tick()).isEqualTo(Duration.ofMillis(500));
    ZKClientConfig config = uri.clientConfig();
    assertThat(config.getProperty("zookeeper.ssl.trustStore.location")).isEqualTo("/a b.p12");
    assertThat(config.getProperty("zookeeper.ssl.trustStore.password")).isEqualTo("c+ret");
    assertThat(config.getProperty(ZKClientConfig.SECURE_CLIENT)).isEqualTo("true");
    assertThat(uri.describe()).isEqualTo("zookeepers://h:2181/holdfast");
    assertThat(uri.toString()).doesNotContain("c+ret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "zookeeper://",
        "zookeeper:h",
        "zookeeper:///p",
        "zookeeper://h,",
        "zookeeper://h:port",
        "zookeeper://secret@h",
        "zookeeper://u:%secret@h",
        "zookeeper://u:secret/x@h",
        "zookeeper://u:1/secret@h",
        "zookeepers://u:1?secret@h",
        "zookeeper://h?trustStore=x",
        "zookeeper://h?tickTime=0",
        "zookeeper://h?tickTime=fast",
        "zookeepers://h?x=y",
        "zookeepers://u:secret@h?keyStore",
        "zookeeper://h#p"
      })
  void whatIsMalformedIsRefusedWithoutShowingIt(String uri) {
    assertThatThrownBy(() -> ZookeeperUri.parse(uri))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("zookeeper://host:2181")
        .hasMessageNotContaining("secret");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/", "holdfast", "/a//b", "/a/", "/.", "/a/../b", "/a b", "/ä"})
  void aPathOfOtherNodesIsRefused(String path) {
    assertThatThrownBy(() -> new Paths(path)).isInstanceOf(BadRequestException.class);
  }
}
