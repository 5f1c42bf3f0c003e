package io.holdfast.tck.history;

/**
 * Names one call of acquire in a history. Sent along as the reason for which the lock is wanted, so
 * that a look at a queue shows which call waits there.
 *
 * @param client the client that asked
 * @param worker the thread that asked, a name used once in its client
 * @param serial counts the calls of this worker, from 1
 */
public record RequestTag(ClientTag client, String worker, long serial) {

  /** Checks the worker's name like {@link ClientTag} does. */
  public RequestTag {
    ClientTag.requirePart(worker);
  }

  /** Reads the text form. */
  public static RequestTag parse(String text) {
    String[] parts = text.split("/", -1);
    if (parts.length != 4) {
      throw new IllegalArgumentException(
          "Not a request's tag (process/client/worker/serial): " + text);
    }
    return new RequestTag(new ClientTag(parts[0], parts[1]), parts[2], Long.parseLong(parts[3]));
  }

  /** Returns {@code process/client/worker/serial}. */
  @Override
  public String toString() {
    return client + "/" + worker + "/" + serial;
  }
}
