package io.holdfast.cli.run;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The signals sent to this process that a JVM can catch. Until the command runs, the first one that
 * would end a program ends the waiting: it interrupts the thread that waits. After that all of them
 * are passed on. QUIT is not among them: the JVM keeps it for itself.
 *
 * <p>A signal that was ignored when this process started (nohup, a background job of a script)
 * stays ignored, here and in the command.
 */
public final class Signals implements AutoCloseable {

  /** Hears of signals that are passed on. */
  interface Receiver {
    void received(Signal signal);
  }

  private static final Path STATUS = Path.of("/proc/self/status");

  private final Object monitor = new Object();
  private final Map<Object, Object> before = new LinkedHashMap<>();
  private @Nullable Thread waiting;
  private @Nullable Signal pending;
  private @Nullable Receiver receiver;

  /** Catches the signals until it is closed; the current thread is the one that waits. */
  public static Signals caught() {
    Signals signals = new Signals(Thread.currentThread());
    long ignored = ignored();
    for (Signal signal : Signal.values()) {
      if (!signal.isIn(ignored)) {
        signals.handle(signal);
      }
    }
    return signals;
  }

  Signals(Thread waiting) {
    this.waiting = waiting;
  }

  /** Ends the waiting: from now on no thread is interrupted. */
  public void endWaiting() {
    synchronized (monitor) {
      waiting = null;
      // It may have come when there was nothing to interrupt any more.
      boolean ignored = Thread.interrupted();
    }
  }

  /** Returns the signal that came while waiting and ends programs, if one did. */
  public Optional<Signal> pending() {
    synchronized (monitor) {
      return Optional.ofNullable(pending);
    }
  }

  /** Passes signals on from now on, one that is pending first. */
  void passTo(Receiver to) {
    Signal first;
    synchronized (monitor) {
      receiver = to;
      first = pending;
    }
    if (first != null) {
      to.received(first);
    }
  }

  void received(Signal signal) {
    Receiver to;
    synchronized (monitor) {
      to = receiver;
      if (to == null && signal.otherwise() == Signal.Default.ENDS) {
        pending = signal;
        if (waiting != null) {
          waiting.interrupt();
        }
      }
    }
    if (to != null) {
      to.received(signal);
    } else if (signal.otherwise() == Signal.Default.STOPS) {
      // What the signal would have done had it not been caught.
      GroupSignal.sendToProcess("STOP", ProcessHandle.current().pid());
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
      // Then none is taken for ignored.
    }
    return 0;
  }

  /**
   * Reaches {@code sun.misc.Signal}, the only way to hear of signals in Java, by reflection: the
   * compiler warns of its every mention, and that cannot be switched off for one class.
   */
  private void handle(Signal signal) {
    try {
      Class<?> type = Class.forName("sun.misc.Signal");
      Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
      Object handler =
          Proxy.newProxyInstance(
              Signals.class.getClassLoader(),
              new Class<?>[] {handlerType},
              new Handler(this, signal));
      Object raw = type.getConstructor(String.class).newInstance(signal.name());
      before.put(raw, type.getMethod("handle", type, handlerType).invoke(null, raw, handler));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("This JVM does not tell of SIG" + signal + ".", e);
    }
  }

  /** Lets the signals do again what they did before. */
  @Override
  public void close() {
    before.forEach(
        (raw, handler) -> {
          try {
            Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
            raw.getClass()
                .getMethod("handle", raw.getClass(), handlerType)
                .invoke(null, raw, handler);
          } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("This JVM does not tell of signals.", e);
          }
        });
  }

  private record Handler(Signals signals, Signal signal) implements InvocationHandler {
    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) {
      signals.received(signal);
      return null;
    }
  }
}
