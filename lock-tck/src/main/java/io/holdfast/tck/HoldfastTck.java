package io.holdfast.tck;

/**
 * The test of an adapter. A test class of the adapter extends this class and says how to get an
 * empty store; the rules are in the interfaces, one for each topic.
 *
 * <p>The result is a report, {@code target/holdfast-tck/report.md} and {@code report.json}, on each
 * claim of the store, each level, and each rule under its id. If something is not proved the report
 * gives the reason, most often a {@code …Control} of {@link io.holdfast.tck.store} that the store
 * does not implement.
 *
 * <p>Rules about events that only some servers can go through are in {@code
 * io.holdfast.tck.adapter}: another test class implements them, and {@link
 * io.holdfast.tck.report.Adapter} adds its results to the same report. Soak rules run with {@code
 * -Dholdfast.tck.soak=true} only.
 *
 * <pre>{@code
 * @Adapter("sqlite")
 * class SqliteTckTest extends HoldfastTck {
 *   @TempDir Path directory;
 *
 *   @Override
 *   protected TckStore openStore() {
 *     return new SqliteTckStore(directory.resolve("locks.db"));
 *   }
 * }
 * }</pre>
 */
public abstract class HoldfastTck extends CapabilityRules {}
