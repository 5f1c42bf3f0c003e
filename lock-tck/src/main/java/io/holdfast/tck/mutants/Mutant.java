package io.holdfast.tck.mutants;

import io.holdfast.LockClient;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.store.TckStore;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** A store that is wrong in one way. */
public interface Mutant {

  /**
   * A mutant that strands a client is rejected when the wait is over, so it should not be long; but
   * without its mistake a rule has to come to its end by then.
   */
  Duration LONG_WAIT = Duration.ofSeconds(12);

  /** Returns a short name, in words with dashes. */
  String name();

  /** Returns the rule that it breaks, or the harm to a client where it was broken. */
  String breaks();

  /** Returns the tests that must reject it, as {@code Rules.test}. */
  List<String> rejectedBy();

  /**
   * Returns a store with the mistake in it.
   *
   * @param original the store to spoil, unless the mistake is in what one store decides inside
   */
  TckStore spoil(TckStore original);

  /** A mutant of any store: each connection is wrapped. */
  static Mutant ofBackend(
      String name, String breaks, UnaryOperator<LockBackend> wrapper, String... rejectedBy) {
    return ofStore(
        name, breaks, () -> (options, store) -> wrapper.apply(store.apply(options)), rejectedBy);
  }

  /** A mutant of any store whose connections know of each other. */
  static Mutant ofStore(
      String name, String breaks, Supplier<Connector> perStore, String... rejectedBy) {
    return new OfAnyStore(name, breaks, List.of(rejectedBy), perStore);
  }

  /** A mutant of the engine, made between the engine and everything that it does. */
  static Mutant ofEngine(
      String name, String breaks, UnaryOperator<LockBackend> wrapper, String... rejectedBy) {
    return new OfEngine(name, breaks, List.of(rejectedBy), wrapper);
  }

  /** A mutant of what stands on the engine's client, made between that client and the rules. */
  static Mutant ofClient(
      String name, String breaks, UnaryOperator<LockClient> wrapper, String... rejectedBy) {
    return new OfClient(name, breaks, List.of(rejectedBy), wrapper);
  }

  /** Connects to a spoiled store by way of the good one. */
  @FunctionalInterface
  interface Connector {
    /** Returns a connection with the mistake in it. */
    LockBackend connect(BackendOptions options, Function<BackendOptions, LockBackend> store);
  }

  /** The mistake is between the client and the store. */
  record OfAnyStore(
      String name, String breaks, List<String> rejectedBy, Supplier<Connector> perStore)
      implements Mutant {

    @Override
    public TckStore spoil(TckStore original) {
      return new MutantStore(
          original,
          perStore.get(),
          UnaryOperator.identity(),
          UnaryOperator.identity(),
          original.longWait());
    }
  }

  /** The mistake is in the client, as its store sees it. */
  record OfEngine(
      String name, String breaks, List<String> rejectedBy, UnaryOperator<LockBackend> wrapper)
      implements Mutant {

    @Override
    public TckStore spoil(TckStore original) {
      return new MutantStore(
          original,
          (options, store) -> store.apply(options),
          wrapper,
          UnaryOperator.identity(),
          LONG_WAIT);
    }
  }

  /** The mistake is between the client and the application. */
  record OfClient(
      String name, String breaks, List<String> rejectedBy, UnaryOperator<LockClient> wrapper)
      implements Mutant {

    @Override
    public TckStore spoil(TckStore original) {
      return new MutantStore(
          original,
          (options, store) -> store.apply(options),
          UnaryOperator.identity(),
          wrapper,
          LONG_WAIT);
    }
  }
}
