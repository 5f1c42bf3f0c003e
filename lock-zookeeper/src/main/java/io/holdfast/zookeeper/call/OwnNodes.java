package io.holdfast.zookeeper.call;

import java.util.List;

/**
 * The paths of the calling ZooKeeper session's own nodes below another. Read them only after {@link
 * Pipeline#awaitAnswers}.
 */
public final class OwnNodes {

  private final List<Answer<List<String>>> found;

  OwnNodes(List<Answer<List<String>>> found) {
    this.found = List.copyOf(found);
  }

  public List<String> paths() {
    return found.stream().flatMap(answer -> answer.value().orElse(List.of()).stream()).toList();
  }
}
