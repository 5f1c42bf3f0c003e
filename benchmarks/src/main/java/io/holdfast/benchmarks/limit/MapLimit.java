package io.holdfast.benchmarks.limit;

import io.holdfast.benchmarks.contender.Contender;
import io.holdfast.benchmarks.contender.LockPair;
import io.holdfast.benchmarks.contender.OpenContender;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** An entry of a map in this JVM: what excluding others costs where nothing is stored. */
public record MapLimit() implements Contender {

  @Override
  public String name() {
    return "putIfAbsent, remove";
  }

  @Override
  public Role role() {
    return Role.LIMIT;
  }

  @Override
  public String settings() {
    return "one ConcurrentHashMap for all threads";
  }

  @Override
  public OpenContender open(int threads) {
    ConcurrentMap<String, String> owners = new ConcurrentHashMap<>();
    return new OpenContender() {
      @Override
      public LockPair pair(String lock) {
        return () -> {
          if (owners.putIfAbsent(lock, "owner") != null) {
            throw new IllegalStateException("The entry is there.");
          }
          owners.remove(lock);
        };
      }

      @Override
      public void close() {}
    };
  }
}
