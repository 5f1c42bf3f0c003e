package io.holdfast.zookeeper.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.tck.server.ShortLivedJvm;
import io.holdfast.tck.server.Tools;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.client.ZKClientConfig;
import org.junit.jupiter.api.Test;

class PlainClientConfigTest {

  /** What an application may have set for all its clients, and what the library makes of it. */
  private static final Map<String, String> OF_THE_APPLICATION =
      Map.of(
          "jute.maxbuffer", "9000000",
          "zookeeper.kinit", "/opt/kinit",
          "zookeeper.sasl.client", "false",
          "zookeeper.sasl.clientconfig", "ZooKeepers",
          "zookeeper.server.realm", "EXAMPLE",
          "zookeeper.request.timeout", "7000",
          "sun.security.jgss.native", "true");

  /** Prints the settings of a process that was started with those. */
  static final class Printer {
    public static void main(String[] names) {
      ZKClientConfig config = ZookeeperUri.parse("zookeeper://h").clientConfig();
      for (String name : names) {
        System.out.println(name + "=" + config.getProperty(name));
      }
      System.out.println(ZookeeperUri.parse("zookeeper://h").clientConfig().isSaslClientEnabled());
    }
  }

  @Test
  void systemPropertiesCountAndTheTlsOfJavaIsNotLoaded() {
    String printed = printed();

    OF_THE_APPLICATION.forEach((name, value) -> assertThat(printed).contains(name + "=" + value));
    assertThat(printed)
        .contains("\nfalse\n")
        .contains(PlainClientConfig.class.getName())
        .doesNotContain("javax.net.ssl.SSLContext");
  }

  @Test
  void whereSystemPropertiesAskForTlsItsSettingsAreRead() {
    String trustStore = "zookeeper.ssl.trustStore.location";

    assertThat(printed("-Dzookeeper.client.secure=true", "-D" + trustStore + "=/a/b"))
        .contains("javax.net.ssl.SSLContext")
        .contains("zookeeper.sasl.client=false");
  }

  private static String printed(String... options) {
    List<String> all = new ArrayList<>(List.of(options));
    all.add("-Xlog:class+load");
    OF_THE_APPLICATION.forEach((name, value) -> all.add("-D" + name + "=" + value));
    List<String> command =
        ShortLivedJvm.command(Printer.class.getName(), all.toArray(String[]::new));
    command.addAll(OF_THE_APPLICATION.keySet());
    return Tools.run(command);
  }
}
