package io.holdfast.redis.connection;

import io.holdfast.spi.Deadline;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** Finds the addresses of a host by a deadline. */
interface HostNames {

  /** Of IPv4 or IPv6, as no name can be. */
  Pattern ADDRESS = Pattern.compile("[0-9.]+|.*:.*");

  /**
   * Returns the addresses of a host in any order.
   *
   * @throws JedisConnectionException if none is found by the deadline
   */
  List<InetAddress> addresses(String host, Deadline deadline);

  /**
   * Returns the resolver of the JDK. It cannot be stopped, so a thread of its own waits for it; for
   * each host one at a time, however many wait for the answer. An address needs no resolver.
   */
  static HostNames ofTheSystem() {
    ConcurrentHashMap<String, CompletableFuture<InetAddress[]>> running = new ConcurrentHashMap<>();
    return (host, deadline) -> {
      if (ADDRESS.matcher(host).matches()) {
        CompletableFuture<InetAddress[]> known = new CompletableFuture<>();
        resolve(host, known);
        return await(known, host, deadline);
      }
      CompletableFuture<InetAddress[]> fresh = new CompletableFuture<>();
      @Nullable CompletableFuture<InetAddress[]> present = running.putIfAbsent(host, fresh);
      if (present == null) {
        Thread thread =
            new Thread(
                null,
                () -> {
                  resolve(host, fresh);
                  running.remove(host, fresh);
                },
                "holdfast-redis-names",
                0,
                false);
        thread.setDaemon(true);
        try {
          thread.start();
        } catch (RuntimeException | Error e) {
          running.remove(host, fresh);
          fresh.completeExceptionally(e);
          throw e;
        }
      }
      return await(present == null ? fresh : present, host, deadline);
    };
  }

  private static void resolve(String host, CompletableFuture<InetAddress[]> found) {
    try {
      found.complete(InetAddress.getAllByName(host));
    } catch (UnknownHostException | RuntimeException | Error e) {
      // An error, too: those who ask next would wait for this answer.
      found.completeExceptionally(e);
    }
  }

  /** Goes on although the thread is interrupted: it may be giving something back. */
  private static List<InetAddress> await(
      CompletableFuture<InetAddress[]> found, String host, Deadline deadline) {
    int millis = Math.max(1, deadline.remainingMillis());
    try {
      List<InetAddress> addresses =
          Arrays.asList(found.copy().orTimeout(millis, TimeUnit.MILLISECONDS).join().clone());
      Collections.shuffle(addresses);
      return addresses;
    } catch (CompletionException e) {
      throw new JedisConnectionException("No address of " + host + " was found in time.", e);
    }
  }
}
