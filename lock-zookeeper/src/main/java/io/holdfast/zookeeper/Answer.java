package io.holdfast.zookeeper;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * What comes back for one request of a {@link Flight}. Read only after the flight has landed.
 *
 * @param <T> what there is if all went well
 */
final class Answer<T> {

  private record Content<T>(Code code, @Nullable T value) {}

  private final CompletableFuture<Content<T>> content = new CompletableFuture<>();

  /** It has come. */
  void come(int code, @Nullable T value) {
    content.complete(new Content<>(Code.get(code), value));
  }

  CompletableFuture<?> coming() {
    return content;
  }

  Code code() {
    return content.join().code();
  }

  boolean isOk() {
    return code() == Code.OK;
  }

  /** Returns the value, if all went well. */
  Optional<T> value() {
    return isOk() ? Optional.ofNullable(content.join().value()) : Optional.empty();
  }
}
