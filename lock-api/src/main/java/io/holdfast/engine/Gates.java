package io.holdfast.engine;

import io.holdfast.HoldfastException;
import io.holdfast.LockName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The gates of one client, each there only while somebody holds or wants its lock. */
final class Gates {

  private final Core core;
  private final Sessions sessions;
  private final Map<LockName, Gate> gates = new HashMap<>();

  Gates(Core core, Sessions sessions) {
    this.core = core;
    this.sessions = sessions;
  }

  Gate gate(LockName name) {
    return gates.computeIfAbsent(name, absent -> new Gate(core, this, sessions, absent));
  }

  boolean isUnused(LockName name) {
    return !gates.containsKey(name);
  }

  void forgetIfUnused(Gate gate) {
    if (gate.isUnused()) {
      gates.remove(gate.name, gate);
    }
  }

  void close(HoldfastException because) {
    for (Gate gate : List.copyOf(gates.values())) {
      gate.close(because);
    }
  }

  LockName publicName(LockName name) {
    return new LockName(name.value().substring(core.settings.namePrefix().length()));
  }
}
