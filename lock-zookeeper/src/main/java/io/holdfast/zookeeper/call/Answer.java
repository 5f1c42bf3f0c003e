package io.holdfast.zookeeper.call;

import java.util.Optional;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one request of a {@link Pipeline}. Read it only after {@link
 * Pipeline#awaitAnswers}.
 *
 * @param <T> its content if all went well
 */
public final class Answer<T> {

  private record Content<T>(Code code, @Nullable T value) {}

  private final Runnable whenComplete;
  private volatile @Nullable Content<T> content;

  Answer(Runnable whenComplete) {
    this.whenComplete = whenComplete;
  }

  /** Completes it, on a thread of the client library. */
  void complete(int code, @Nullable T value) {
    content = new Content<>(Code.get(code), value);
    whenComplete.run();
  }

  private Content<T> content() {
    Content<T> present = content;
    if (present == null) {
      throw new IllegalStateException("An answer was read before it had come.");
    }
    return present;
  }

  public Code code() {
    return content().code();
  }

  public boolean isOk() {
    return code() == Code.OK;
  }

  /** Returns what has come, also if not all went well: which write of several has failed. */
  public Optional<T> anyhow() {
    return Optional.ofNullable(content().value());
  }

  /** Returns the value, if all went well. */
  public Optional<T> value() {
    return isOk() ? Optional.ofNullable(content().value()) : Optional.empty();
  }
}
