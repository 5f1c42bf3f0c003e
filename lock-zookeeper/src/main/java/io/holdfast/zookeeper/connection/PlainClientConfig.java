package io.holdfast.zookeeper.connection;

import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ZKConfig;

/**
 * The settings of a connection without TLS. The library reads the system properties of TLS in any
 * case, and only to learn their names it has Java load its TLS, with all certificates that it
 * trusts: more than half of what the first connection of a process takes.
 */
final class PlainClientConfig extends ZKClientConfig {

  private static final String PREFIX = "zookeeper.";
  private static final String GSS_NATIVE = "sun.security.jgss.native";

  /** Returns whether system properties ask for TLS. */
  static boolean isOverruled() {
    return Boolean.getBoolean(ZKClientConfig.SECURE_CLIENT);
  }

  /** Takes over the system properties of the library, but for those that only TLS has. */
  @Override
  protected void handleBackwardCompatibility() {
    for (String name : System.getProperties().stringPropertyNames()) {
      if (name.startsWith(PREFIX)
          || name.equals(ZKConfig.JUTE_MAXBUFFER)
          || name.equals(GSS_NATIVE)) {
        setProperty(name, System.getProperty(name));
      }
    }
  }
}
