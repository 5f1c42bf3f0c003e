package io.holdfast.cli;

import io.holdfast.BadRequestException;
import io.holdfast.spi.LockProvider;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Prints what an administrator runs for users who may not do it. */
@Command(
    name = "ddl",
    description = {
      "Print the statements that make the tables in a database.",
      "For somebody to run who may create tables, where those who use them may not."
    },
    versionProvider = SharedOptions.Version.class)
final class DdlCommand implements Callable<Integer>, UsesStore {

  private final Surroundings surroundings;

  /** Set by picocli, which prints the help by it. */
  @SuppressWarnings("UnusedVariable")
  @Mixin
  private SharedOptions shared = new SharedOptions();

  @Mixin private StoreOptions store = new StoreOptions();

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
                        "No adapter that is installed makes tables for such a URI; 'holdfast backends' lists them."));
    surroundings.out().print(ddl);
    surroundings.out().flush();
    return 0;
  }
}
