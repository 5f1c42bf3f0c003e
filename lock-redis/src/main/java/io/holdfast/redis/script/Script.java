package io.holdfast.redis.script;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The scripts of the verbs. Each is {@code beginning.lua}, {@code common.lua} and the file with its
 * name. A short way, where there is one, stands before {@code common.lua}.
 */
public enum Script {
  ATTACH(Counts.AT_ONCE),
  SETTINGS(Counts.AT_ONCE),
  OPEN(Counts.WHEN_REPLICATED),
  RENEW(Counts.WHEN_REPLICATED),
  CLOSE(Counts.AT_ONCE),
  END(Counts.AT_ONCE),
  GRAB(Counts.WHEN_REPLICATED, "grab_free"),
  OVERTAKE(Counts.WHEN_REPLICATED),
  RELEASE(Counts.AT_ONCE, "release_last"),
  LOOK(Counts.WHEN_REPLICATED),
  REVOKE(Counts.AT_ONCE),
  ACKNOWLEDGE(Counts.AT_ONCE),
  INSPECT(Counts.AT_ONCE),
  LIST(Counts.AT_ONCE),
  SWEEP(Counts.AT_ONCE);

  private enum Counts {
    AT_ONCE,
    /** The client relies on the answer, so {@code waitReplicas} applies: it must not be lost. */
    WHEN_REPLICATED
  }

  private final Counts counts;
  private final String text;
  private final String sha;

  Script(Counts counts, String... shortWay) {
    this.counts = counts;
    this.text =
        read("beginning")
            + Stream.of(shortWay).map(Script::read).collect(joining())
            + read("common")
            + read(name().toLowerCase(Locale.ROOT));
    this.sha = sha(text);
  }

  private static String read(String file) {
    try (@Nullable InputStream stream = Script.class.getResourceAsStream(file + ".lua")) {
      if (stream == null) {
        throw new IllegalStateException("The script " + file + ".lua is missing in this jar.");
      }
      return new String(stream.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String sha(String text) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-1").digest(text.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-1 is missing in this Java.", e);
    }
  }

  public String text() {
    return text;
  }

  /** Returns the SHA-1 under which the server caches the script. */
  public String sha() {
    return sha;
  }

  /** Returns whether the answer counts only after the replicas of {@code waitReplicas} have it. */
  public boolean countsWhenReplicated() {
    return counts == Counts.WHEN_REPLICATED;
  }
}
