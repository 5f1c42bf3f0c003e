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
 * The scripts of the verbs. Each consists of {@code layout.lua} and {@code beginning.lua}, of what
 * it shares with others, and of the file with its name. A short way, where there is one, stands
 * before all that it does not need.
 */
public enum Script {
  ATTACH(Counts.AT_ONCE, Files.OF_SESSIONS),
  SETTINGS(Counts.AT_ONCE, Files.OF_SESSIONS),
  OPEN(Counts.WHEN_REPLICATED, Files.OF_SESSIONS),
  RENEW(Counts.WHEN_REPLICATED, Files.OF_SESSIONS),
  RESUME(Counts.WHEN_REPLICATED, Files.OF_RECORDS),
  CLOSE(Counts.AT_ONCE, Files.OF_SESSIONS),
  END(Counts.AT_ONCE, Files.OF_SESSIONS),
  GRAB(Counts.WHEN_REPLICATED, "layout beginning grab_free common record answers"),
  OVERTAKE(Counts.WHEN_REPLICATED, Files.OF_LOCKS),
  RELEASE(Counts.AT_ONCE, "layout release_last beginning common record leaving"),
  RELEASE_AFTER(Counts.AT_ONCE, Files.OF_LOCKS),
  DOWNGRADE(Counts.AT_ONCE, Files.OF_LOCKS),
  LOOK(Counts.WHEN_REPLICATED, Files.OF_RECORDS),
  REVOKE(Counts.AT_ONCE, Files.OF_LOCKS),
  ACKNOWLEDGE(Counts.AT_ONCE, Files.OF_SESSIONS),
  INSPECT(Counts.AT_ONCE, Files.OF_RECORDS),
  WAITERS(Counts.AT_ONCE, Files.OF_RECORDS),
  LIST(Counts.AT_ONCE, Files.OF_RECORDS),
  SWEEP(Counts.AT_ONCE, Files.OF_LOCKS),
  TRY_HINTS(Counts.AT_ONCE, Files.OF_SESSIONS),
  ATTACH_FORMER(Counts.AT_ONCE, Files.OF_FORMER),
  RETIRE(Counts.WHEN_REPLICATED, Files.OF_FORMER);

  /** The version of the layout that {@code layout.lua} defines. */
  public static final int PROTOCOL = 2;

  private enum Counts {
    AT_ONCE,
    /** The client relies on the answer, so {@code waitReplicas} applies: it must not be lost. */
    WHEN_REPLICATED
  }

  /** The files before the script's own. */
  private static final class Files {
    static final String OF_SESSIONS = "layout beginning common";
    static final String OF_FORMER = "layout former beginning common";
    static final String OF_RECORDS = "layout beginning common record answers";
    static final String OF_LOCKS = "layout beginning common record answers leaving";
  }

  private final Counts counts;
  private final String files;

  Script(Counts counts, String files) {
    this.counts = counts;
    this.files = files;
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

  /** Returns the SHA-1 under which the server caches a text. */
  public static String digest(String text) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-1").digest(text.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-1 is missing in this Java.", e);
    }
  }

  /**
   * Returns what the server runs. Reads it each time: most processes use few of the scripts, and
   * their texts seldom.
   */
  public String text() {
    String all = files + " " + name().toLowerCase(Locale.ROOT);
    return Stream.of(all.split(" ", -1)).map(Script::read).collect(joining());
  }

  /** Returns the SHA-1 under which the server caches the script. Computes it each time. */
  public String sha() {
    return digest(text());
  }

  /** Returns whether the answer counts only after the replicas of {@code waitReplicas} have it. */
  public boolean countsWhenReplicated() {
    return counts == Counts.WHEN_REPLICATED;
  }
}
