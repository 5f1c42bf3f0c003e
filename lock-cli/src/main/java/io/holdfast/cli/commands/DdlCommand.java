package io.holdfast.cli.commands;

import io.holdfast.cli.environment.Surroundings;
import io.holdfast.cli.options.SharedOptions;
import io.holdfast.cli.options.StoreOptions;
import io.holdfast.cli.options.UsesStore;
import io.holdfast.cli.output.Json;
import io.holdfast.error.BadRequestException;
import io.holdfast.spi.LockProvider;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the statements that an administrator runs for users who may not create tables. */
@Command(
    name = "ddl",
    description = {
      "Print the statements that create the tables in a database.",
      "For an administrator to run, where the users of the locks may not create tables."
    },
    versionProvider = SharedOptions.Version.class)
final class DdlCommand implements Callable<Integer>, UsesStore {

  private final Surroundings surroundings;

  /** Set by picocli, which needs it to print the help. */
  @SuppressWarnings("UnusedVariable")
  @Mixin
  private SharedOptions shared = new SharedOptions();

  @Mixin private StoreOptions store = new StoreOptions();

  @Option(names = "--json", description = "Print a JSON object with the statements.")
  private boolean json;

  DdlCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public StoreOptions store() {
    return store;
  }

  @Override
  public Integer call() {
    String uri = store.choice(surroundings).uri();
    String ddl =
        ServiceLoader.load(LockProvider.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(provider -> provider.accepts(uri))
            .findFirst()
            .flatMap(provider -> provider.ddl(uri))
            .orElseThrow(
                () ->
                    new BadRequestException(
                        "No adapter that is installed creates tables for this URI; 'holdfast backends' lists the adapters and their URIs."));
    surroundings.out().print(json ? json(ddl) : ddl);
    surroundings.out().flush();
    return 0;
  }

  private static String json(String ddl) {
    return Json.write(Map.of("statements", List.of(ddl.split(";\n")))) + "\n";
  }
}
