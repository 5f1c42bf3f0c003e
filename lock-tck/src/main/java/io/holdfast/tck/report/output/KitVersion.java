package io.holdfast.tck.report.output;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/** Which version of the kit this is. */
public final class KitVersion {

  private KitVersion() {}

  public static String get() {
    try (InputStream kit =
        Objects.requireNonNull(
            KitVersion.class.getResourceAsStream("kit.properties"), "kit.properties")) {
      Properties properties = new Properties();
      properties.load(kit);
      return properties.getProperty("version", "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
