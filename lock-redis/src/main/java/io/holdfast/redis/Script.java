package io.holdfast.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The scripts that the verbs are made of; each lies in a file of its own. */
enum Script {
  ATTACH(Counts.AT_ONCE),
  SETTINGS(Counts.AT_ONCE),
  OPEN(Counts.WHEN_REPLICATED),
  RENEW(Counts.WHEN_REPLICATED),
  CLOSE(Counts.AT_ONCE),
  END(Counts.AT_ONCE),
  GRAB(Counts.WHEN_REPLICATED),
  OVERTAKE(Counts.WHEN_REPLICATED),
  RELEASE(Counts.AT_ONCE),
  LOOK(Counts.WHEN_REPLICATED),
  REVOKE(Counts.AT_ONCE),
  ACKNOWLEDGE(Counts.AT_ONCE),
  INSPECT(Counts.AT_ONCE),
  LIST(Counts.AT_ONCE),
  SWEEP(Counts.AT_ONCE);

  private enum Counts {
    AT_ONCE,
    /** Somebody believes in the answer, so it must not be lost where replicas were asked for. */
    WHEN_REPLICATED
  }

  private final Counts counts;
  private final String text;
  private final String sha;

  Script(Counts counts) {
    this.counts = counts;
    this.text = read("common") + read(name().toLowerCase(Locale.ROOT));
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
      throw new IllegalStateException("Every Java has SHA-1.", e);
    }
  }

  String text() {
    return text;
  }

  /** Returns the name under which the server has it once it was sent. */
  String sha() {
    return sha;
  }

  /** Returns whether its answer counts only when replicas have it, if there have to be any. */
  boolean countsWhenReplicated() {
    return counts == Counts.WHEN_REPLICATED;
  }
}
