package io.holdfast.tck.process.actor;

import io.holdfast.LockClient;
import io.holdfast.ProcessIdentity;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.tck.process.client.ClientSettings;
import io.holdfast.tck.process.client.ClientSource;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * The main class of a child JVM: an {@link Actor} whose commands come from standard input and whose
 * reports go to standard output. Ends when it is told to {@code leave}, and at once when its input
 * ends, because then its parent is gone.
 */
final class ChildMain {

  static final String READY = "ready";
  static final String LEAVE = "leave";
  static final String LEFT = "left";

  private static final int LOADING_ATTEMPTS = 4;

  private ChildMain() {}

  /** Arguments: the class of the {@link ClientSource}, the URI, the {@link ActorSettings}. */
  public static void main(String[] arguments) throws IOException, ReflectiveOperationException {
    List<String> words = Arrays.asList(arguments);
    ActorSettings settings = ActorSettings.parse(words.subList(2, words.size()));
    Function<ClientSettings, LockClient> source = source(words.get(0), words.get(1));
    Actor actor = new Actor(settings, source, System.out::println);
    loadWhatConnectingNeeds(
        source,
        new ClientSettings(new ProcessIdentity(settings.process()), settings.ttl(), event -> {}));
    System.out.println(READY);
    ParentInput.obey(
        command -> {
          if (command.equals(LEAVE)) {
            // On a thread of its own: this one goes on waiting for the end of the input.
            new Thread(() -> leave(actor), "leave").start();
          } else {
            actor.obey(command);
          }
        });
  }

  /**
   * Connects once: from here on what takes time is the store's. On a busy machine the loading alone
   * can take the time of a connection, but not of several: each finds more of it done.
   */
  private static void loadWhatConnectingNeeds(
      Function<ClientSettings, LockClient> source, ClientSettings settings) {
    for (int attempt = 1; ; attempt++) {
      try {
        source.apply(settings).close();
        return;
      } catch (BackendUnreachableException e) {
        if (attempt == LOADING_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private static void leave(Actor actor) {
    try {
      actor.leave();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    actor.close();
    System.out.println(LEFT);
    System.exit(0);
  }

  private static Function<ClientSettings, LockClient> source(String className, String uri)
      throws ReflectiveOperationException {
    var constructor = Class.forName(className).getDeclaredConstructor();
    constructor.setAccessible(true);
    ClientSource source = (ClientSource) constructor.newInstance();
    return settings -> source.connect(uri, settings);
  }
}
