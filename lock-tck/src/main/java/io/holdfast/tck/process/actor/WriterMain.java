package io.holdfast.tck.process.actor;

import io.holdfast.Grant;
import io.holdfast.error.StaleTokenException;
import io.holdfast.tck.process.client.FencedResource;
import io.holdfast.tck.process.client.FencedResource.Writer;
import java.time.Duration;

/**
 * The main class of the child JVM of a {@link PausableWriter}: takes a lock, writes to the resource
 * behind it, and writes again for each line that it reads, even if the lock is lost. Ends at once
 * when its input ends, because then its parent is gone.
 */
final class WriterMain {

  static final String WROTE = "wrote";
  static final String REFUSED = "refused";
  static final String FAILED = "failed";

  private WriterMain() {}

  /** Arguments: the class of the {@link FencedResource}, its place, the lock, the TTL in ms. */
  public static void main(String[] arguments) throws Exception {
    FencedResource resource =
        FencedResource.open(
            Class.forName(arguments[0]).asSubclass(FencedResource.class), arguments[1]);
    Grant grant =
        resource
            .locks(Duration.ofMillis(Long.parseLong(arguments[3])))
            .lock(arguments[2])
            .acquire();
    Writer writer = resource.writer(grant);
    write(writer, "the first value");
    ParentInput.obey(value -> write(writer, value));
  }

  private static void write(Writer writer, String value) {
    try {
      writer.write(value);
      System.out.println(WROTE + " " + value);
    } catch (StaleTokenException e) {
      System.out.println(REFUSED + " " + value);
    } catch (Exception e) {
      System.out.println(FAILED + " " + value + ": " + e);
    }
  }
}
