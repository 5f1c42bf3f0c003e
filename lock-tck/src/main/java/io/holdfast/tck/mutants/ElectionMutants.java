package io.holdfast.tck.mutants;

import io.holdfast.LockClient;
import io.holdfast.election.Elections;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;

/** Mistakes of elections. */
final class ElectionMutants {

  private ElectionMutants() {}

  static List<Mutant> all() {
    return List.of(
        Mutant.ofClient(
            "candidacies-unknown-to-each-other",
            "† The next of a process is elected when the last one has been deposed",
            ElectionMutants::withElectionsOfTheirOwn,
            "ElectionRules.theNextOfAProcessIsElectedOnlyWhenTheLastOneHasBeenDeposed"));
  }

  private static LockClient withElectionsOfTheirOwn(LockClient client) {
    return (LockClient)
        Proxy.newProxyInstance(
            LockClient.class.getClassLoader(),
            new Class<?>[] {LockClient.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("election")) {
                return new Elections(client).of((String) arguments[0]);
              }
              try {
                return method.invoke(client, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
