package io.holdfast.cli.run;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The signals sent to this process that a JVM can catch. Until the command runs, the first signal
 * that would end a program interrupts the waiting thread and so ends the wait. After that all
 * signals are passed on. QUIT is not among them, because the JVM reserves it.
 *
 * <p>A signal that was ignored when this process started (nohup, a background job of a script)
 * stays ignored, here and in the command.
 */
public final class Signals implements AutoCloseable {

  /** Receives the signals that are passed on, one at a time; it must not wait for anything. */
  interface Receiver {
    void received(Signal signal);
  }

  /**
   * Of this package, as nothing else is: then the handler's class is made here too. For public
   * interfaces alone the JVM would make a module first.
   */
  interface HandledHere {}

  private static final Path STATUS = Path.of("/proc/self/status");

  private final Object monitor = new Object();
  private final Map<Object, Object> before = new LinkedHashMap<>();
  private @Nullable Thread waiting;

  /** Those that would end a program, in the order in which they came. */
  private final Set<Signal> pending = new LinkedHashSet<>();

  private @Nullable Signal pendingStop;
  private @Nullable Receiver receiver;

  /** Catches signals until it is closed. The current thread is the waiting thread. */
  public static Signals caught() {
    Signals signals = new Signals(Thread.currentThread());
    long ignored = ignored();
    List<Signal> caught = new ArrayList<>();
    for (Signal signal : Signal.values()) {
      if (!signal.isIn(ignored)) {
        caught.add(signal);
      }
    }
    signals.handle(caught);
    return signals;
  }

  Signals(Thread waiting) {
    this.waiting = waiting;
  }

  /** Begins another wait of the current thread, which a signal that has come meanwhile ends. */
  public void beginWaiting() {
    synchronized (monitor) {
      waiting = Thread.currentThread();
      if (!pending.isEmpty()) {
        waiting.interrupt();
      }
    }
  }

  /** Keeps signals again, instead of passing them on, until the next command is there. */
  void keepAgain() {
    synchronized (monitor) {
      receiver = null;
      pending.clear();
      pendingStop = null;
    }
  }

  /** Ends the wait: from now on no thread is interrupted. */
  public void endWaiting() {
    synchronized (monitor) {
      waiting = null;
      // It may have come when there was nothing to interrupt any more.
      boolean ignored = Thread.interrupted();
    }
  }

  /**
   * Returns the signal that ended the wait, the first that asks to end in good order if there are
   * several; empty if there was none.
   */
  public Optional<Signal> pending() {
    synchronized (monitor) {
      @Nullable Signal first = null;
      for (Signal signal : pending) {
        if (signal.asksToStop()) {
          return Optional.of(signal);
        }
        first = first == null ? signal : first;
      }
      return Optional.ofNullable(first);
    }
  }

  /** Passes signals on from now on, the pending ones first. */
  void passTo(Receiver to) {
    synchronized (monitor) {
      receiver = to;
      pending.forEach(to::received);
      if (pendingStop != null) {
        to.received(pendingStop);
      }
    }
  }

  /** A signal that is passed on has arrived before {@link #keepAgain} returns: none goes astray. */
  void received(Signal signal) {
    boolean isForThisProcess;
    synchronized (monitor) {
      if (receiver != null) {
        receiver.received(signal);
        return;
      }
      isForThisProcess = waiting != null;
      keep(signal);
    }
    if (signal.otherwise() == Signal.Default.STOPS && isForThisProcess) {
      // The effect that the signal would have had if it were not caught.
      GroupSignal.sendToProcess("STOP", ProcessHandle.current().pid());
    }
  }

  /**
   * Keeps a signal until the command is there. A stop that comes when the lock is there is for the
   * command that is being started: if this process stood still instead, its lease would run out
   * beside a command that runs.
   */
  private void keep(Signal signal) {
    if (signal.otherwise() == Signal.Default.ENDS) {
      pending.add(signal);
      if (waiting != null) {
        waiting.interrupt();
      }
    } else if (signal.otherwise() == Signal.Default.STOPS && waiting == null) {
      pendingStop = signal;
    } else if (signal == Signal.CONT) {
      pendingStop = null;
    }
  }

  /** Returns the mask of the signals that this process was started to ignore. */
  private static long ignored() {
    try {
      for (String line : Files.readAllLines(STATUS)) {
        if (line.startsWith("SigIgn:")) {
          return Long.parseUnsignedLong(line.substring("SigIgn:".length()).strip(), 16);
        }
      }
    } catch (IOException e) {
      // Then all signals count as not ignored.
    }
    return 0;
  }

  /**
   * Uses {@code sun.misc.Signal}, the only way to catch signals in Java, by reflection: the
   * compiler warns about every mention of it, and that warning cannot be switched off for one
   * class. One handler has all signals: to make one takes a JVM longer than to set them all.
   */
  private void handle(List<Signal> caught) {
    try {
      Class<?> type = Class.forName("sun.misc.Signal");
      Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
      Constructor<?> named = type.getConstructor(String.class);
      Method handle = handle(type);
      Map<Object, Signal> signals = new HashMap<>();
      Object handler =
          Proxy.newProxyInstance(
              Signals.class.getClassLoader(),
              new Class<?>[] {handlerType, HandledHere.class},
              new Handler(this, signals));
      for (Signal signal : caught) {
        signals.put(named.newInstance(signal.name()), signal);
      }
      for (Object raw : signals.keySet()) {
        before.put(raw, handle.invoke(null, raw, handler));
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("This JVM cannot catch signals.", e);
    }
  }

  /** Restores the handlers that the signals had before. */
  @Override
  public void close() {
    try {
      Method handle = handle(Class.forName("sun.misc.Signal"));
      for (Map.Entry<Object, Object> entry : before.entrySet()) {
        handle.invoke(null, entry.getKey(), entry.getValue());
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("This JVM cannot catch signals.", e);
    }
  }

  private static Method handle(Class<?> type) throws ReflectiveOperationException {
    return type.getMethod("handle", type, Class.forName("sun.misc.SignalHandler"));
  }

  private record Handler(Signals signals, Map<Object, Signal> known) implements InvocationHandler {
    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) {
      @Nullable Signal signal = arguments == null ? null : known.get(arguments[0]);
      if (signal != null) {
        signals.received(signal);
      }
      return null;
    }
  }
}
