package io.holdfast.cli.commands;

import io.holdfast.cli.environment.Surroundings;
import io.holdfast.cli.options.SharedOptions;
import io.holdfast.cli.output.Json;
import io.holdfast.cli.output.Messages;
import io.holdfast.cli.store.BackendChoice;
import io.holdfast.spi.LockProvider;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists the adapters on the class path and the stores that they reach. */
@Command(
    name = "backends",
    description = "List the installed adapters and the URIs that they accept.",
    versionProvider = SharedOptions.Version.class)
final class BackendsCommand implements Callable<Integer> {

  private final Surroundings surroundings;

  @Mixin private SharedOptions shared = new SharedOptions();

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  BackendsCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    List<LockProvider> adapters = new ArrayList<>();
    ServiceLoader.load(LockProvider.class).forEach(adapters::add);
    BackendChoice choice = BackendChoice.of(null, null, surroundings);
    // A URI from the environment may contain a password.
    @Nullable String uri = choice.directory().isPresent() ? choice.uri() : null;
    if (json) {
      printJson(adapters, choice, uri);
    } else {
      printText(adapters, choice, uri);
    }
    return 0;
  }

  private void printJson(List<LockProvider> adapters, BackendChoice choice, @Nullable String uri) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("adapters", adapters.stream().map(BackendsCommand::json).toList());
    fields.put("defaultBackend", uri);
    fields.put("defaultSource", choice.source().name().toLowerCase(java.util.Locale.ROOT));
    surroundings.out().println(Json.write(fields));
  }

  private static Map<String, @Nullable Object> json(LockProvider adapter) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("name", adapter.name());
    fields.put("uriForms", adapter.uriForms());
    fields.put("class", adapter.getClass().getName());
    fields.put("jar", jar(adapter));
    return fields;
  }

  private void printText(List<LockProvider> adapters, BackendChoice choice, @Nullable String uri) {
    if (adapters.isEmpty()) {
      new Messages(surroundings.err(), shared.quiet())
          .note(
              "no adapter is installed; put the jars of an adapter into the directory of lock-api's jar");
    }
    for (LockProvider adapter : adapters) {
      surroundings
          .out()
          .println(
              "%-10s %-40s %s"
                  .formatted(adapter.name(), String.join(", ", adapter.uriForms()), jar(adapter)));
    }
    String what = uri == null ? "" : uri + ", ";
    surroundings.out().println("default:   " + what + choice.source());
  }

  private static @Nullable String jar(LockProvider adapter) {
    CodeSource source = adapter.getClass().getProtectionDomain().getCodeSource();
    if (source == null) {
      return null;
    }
    try {
      return String.valueOf(Path.of(source.getLocation().toURI()).getFileName());
    } catch (URISyntaxException e) {
      return source.getLocation().toString();
    }
  }
}
