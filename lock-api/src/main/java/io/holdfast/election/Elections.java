package io.holdfast.election;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.LockClient;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.LossReason;
import io.holdfast.record.Liveness;
import io.holdfast.record.LockRecord;
import io.holdfast.watch.Watch;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The elections of one client. The client has one of these, so that candidacies of one name know of
 * each other. Thread-safe.
 */
public final class Elections implements AutoCloseable {

  private final LockClient client;
  private final Predicate<Grant> inForce;
  private final BiConsumer<Grant, Consumer<LossReason>> onEnd;
  private final Stages stages = new Stages();
  private final Set<StandingCandidacy> standing = ConcurrentHashMap.newKeySet();

  /**
   * Makes the elections of a client, which closes them.
   *
   * @param inForce whether a grant of the client's is in force, asked by a thread that does not
   *     become its user
   * @param onEnd has a listener, which does not block, told once that the lease of a grant of the
   *     client's has run out, though it may be renewed yet, or why the grant is lost; listeners of
   *     the application's do not delay that
   */
  public Elections(
      LockClient client, Predicate<Grant> inForce, BiConsumer<Grant, Consumer<LossReason>> onEnd) {
    this.client = client;
    this.inForce = inForce;
    this.onEnd = onEnd;
  }

  /** Returns the election of a name. Makes no call to the store. */
  public Election of(String name) {
    return new OfName(new LockName(name));
  }

  /** Asks all candidacies to end, and waits for none. */
  @Override
  public void close() {
    standing.forEach(candidacy -> candidacy.end(LossReason.CLIENT_CLOSED));
  }

  private final class OfName implements Election {
    private final LockName name;

    OfName(LockName name) {
      this.name = name;
    }

    @Override
    public LockName name() {
      return name;
    }

    @Override
    public Candidacy stand(AcquireOptions options, Candidate candidate) {
      require(options.maxWait().isEmpty(), "waits without limit: use AcquireOptions.forever()");
      require(options.mode() == LockMode.EXCLUSIVE, "cannot share the lead: leave out shared()");
      require(
          options.keeping() == AcquireOptions.Keeping.RELEASED,
          "gives the lock back after each term: leave out cached()");
      require(
          options.interrupts() == AcquireOptions.Interrupts.END_THE_WAIT,
          "ends its wait when it is closed: leave out uninterruptibly()");
      StandingCandidacy candidacy =
          new StandingCandidacy(
              client.lock(name.value()),
              options,
              candidate,
              stages,
              inForce,
              onEnd,
              standing::remove);
      standing.add(candidacy);
      try {
        candidacy.start();
      } catch (RuntimeException | Error noThread) {
        standing.remove(candidacy);
        throw noThread;
      }
      return candidacy;
    }

    private void require(boolean holds, String what) {
      if (!holds) {
        throw new BadRequestException(
            "A candidate for \"%s\" at %s %s.".formatted(name, client.backend(), what));
      }
    }

    @Override
    public Optional<Leader> leader() {
      return client.find(name.value()).flatMap(OfName::leader);
    }

    @Override
    public Watch observe(Duration interval, Observer observer) {
      return client.watch(name.value(), interval, new LeaderWatch(observer, OfName::leader));
    }

    private static Optional<Leader> leader(LockRecord lock) {
      return lock.holder()
          .filter(holder -> lock.isHeld() && holder.liveness() != Liveness.STAYING)
          .flatMap(
              holder ->
                  lock.token()
                      .map(
                          term ->
                              new Leader(
                                  term,
                                  holder.process(),
                                  holder.why(),
                                  holder.payload(),
                                  holder.since())));
    }
  }
}
