package io.holdfast.engine.gate;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.engine.session.Sessions;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.Turn;
import io.holdfast.error.HoldfastException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The gates of one client, each there only while one of its threads holds or wants its lock. */
public final class Gates {

  private final Core core;
  private final Sessions sessions;
  final Intake intake;
  final Turnstile turnstile = new Turnstile();
  private final Map<LockName, Gate> gates = new HashMap<>();

  public Gates(Core core, Sessions sessions) {
    this.core = core;
    this.sessions = sessions;
    this.intake = new Intake(core);
  }

  @GuardedBy("turn.lock")
  public Gate gate(LockName name, Turn turn) {
    Gate present = gates.get(name);
    if (present != null) {
      present.loseWhatIsOver(turn); // With the last of it the gate is forgotten.
      present = gates.get(name);
    }
    if (present != null) {
      return present;
    }
    Gate made = new Gate(core, this, sessions, name);
    gates.put(name, made);
    return made;
  }

  /** Whether a lock that an earlier life of this process holds may be held here from now on. */
  @GuardedBy("turn.lock")
  public boolean mayResume(LockName name, LockMode mode, Turn turn) {
    Gate present = gates.get(name);
    return present == null || present.mayResume(mode, turn);
  }

  @GuardedBy("turn.lock")
  void forgetIfUnused(Gate gate, Turn turn) {
    if (gate.isUnused(turn)) {
      gates.remove(gate.name, gate);
    }
  }

  @GuardedBy("turn.lock")
  public void close(HoldfastException because, Turn turn) {
    for (Gate gate : List.copyOf(gates.values())) {
      gate.close(because, turn);
    }
  }

  public LockName publicName(LockName name) {
    if (core.settings.namePrefix().isEmpty()) {
      return name;
    }
    return new LockName(name.value().substring(core.settings.namePrefix().length()));
  }
}
