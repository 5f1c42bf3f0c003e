package io.holdfast.cli.adapters;

import io.holdfast.spi.LockProvider;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * A file that lists the adapters on the class path, made by {@code make-archive}. To look for them
 * again is to read the table of contents of every jar, which costs more than all else that a start
 * on SQLite does.
 *
 * <p>The file is what the jars have in {@code META-INF/services}, put together. Comments before it
 * say from which jars it was made. If one of them is another now, or one was added or taken away,
 * the list counts for nothing: what lies in {@code lib/} decides.
 */
public final class AdapterList {

  /** Set by the launcher if there is a list. */
  private static final String PROPERTY = "holdfast.adapters";

  private AdapterList() {}

  /** Writes the list of this class path to the file that the argument names. */
  public static void main(String[] args) throws IOException {
    StringBuilder text = new StringBuilder(jars());
    ServiceLoader.load(LockProvider.class).stream()
        .forEach(adapter -> text.append(adapter.type().getName()).append('\n'));
    Files.writeString(Path.of(args[0]), text);
  }

  /** Returns the list of this class path; empty if there is none that is right. */
  public static Optional<Path> current() {
    @Nullable String file = System.getProperty(PROPERTY);
    if (file == null) {
      return Optional.empty();
    }
    try {
      Path list = Path.of(file);
      return Files.readString(list).startsWith(jars()) ? Optional.of(list) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Returns the jars of the class path, in order, as the comments of the list. */
  private static String jars() {
    StringBuilder text = new StringBuilder("# jar size time, and then the adapters in them\n");
    for (String name : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      File jar = new File(name);
      text.append("# ").append(jar.getName()).append(' ').append(jar.length());
      text.append(' ').append(jar.lastModified()).append('\n');
    }
    return text.append("#\n").toString();
  }
}
