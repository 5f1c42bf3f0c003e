package io.holdfast.jdbc.database;

import java.util.Collection;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The statements of databases with {@code ON CONFLICT} and {@code RETURNING}. A part that such a
 * database spells in its own way stands in them in the spelling of others, or in braces, and is
 * replaced when they are {@linkplain #render rendered}: {@code {locks}}, {@code {queue}}, {@code
 * {sessions}} and {@code {namespace}}, the tables; {@code {now}}, the clock; {@code {in names}} and
 * {@code {in sessions}}, whether a column is one of a list; {@code {data incarnation}} and {@code
 * {incarnation}}, those of the database now; {@code {comparable X}}, whether a time written in
 * incarnation X can be compared with this clock; {@code {settled}}, whether this incarnation has
 * gone on for long enough for all sessions to be renewed in it; {@code {durably}}, always true, and
 * makes the statement durable; {@code {notices but one}}, those of a session without one that gives
 * time.
 *
 * <p>Each statement that depends on the database's state asks it for that state, where it can be
 * asked: a proxy may lead the next statement of the same connection to another server, or to the
 * same one started again. A session counts in the data incarnation in which it was opened, and is
 * over in every other. It is only opened in the data incarnation that the namespace has recorded.
 * So the restart guard of a new incarnation begins before any session in it could be granted a
 * lock.
 *
 * <p>A statement that waited for a row sees what the row has become: its conditions and its new
 * values, the clock among them, are evaluated once more. Rows of other tables it may see as they
 * were when the statement began. So nothing is decided by another table but what cannot be undone:
 * a session that is not there never comes back, and one that has been ended since is dealt with
 * like any other that dies after its grant. The floor is the one exception, see {@link
 * QueueTextDialect#deleteFree}.
 */
public abstract class StandardDialect implements Dialect {

  private static final Pattern COMPARABLE = Pattern.compile("\\{comparable ([a-z._]+)}");

  /** Placeholders for our own tables and functions, whose names get the prefix. */
  private static final Pattern OURS =
      Pattern.compile("\\{(locks|queue|sessions|namespace|millis)}");

  private static final String NOTICES_BUT_ONE =
      """
      CASE instr(notices, :begin)
        WHEN 0 THEN notices
        ELSE replace(notices, substr(notices, instr(notices, :begin),
                                     instr(substr(notices, instr(notices, :begin)), ';')), '') END""";

  /** Whether a session lapsed so long ago that a sweep deletes it. */
  protected static final String LAPSED =
      """
      renewed + ttl + (SELECT max_clock_step FROM {namespace}) <= {now} - :idle
      AND (opened_in <> {data incarnation} OR {comparable incarnation} OR {settled})""";

  /** Returns the expression for the clock, in microseconds, read when the row is locked. */
  protected abstract String now();

  /** Returns what stands for {@code = one of :names}, which are in hexadecimal digits. */
  protected abstract String inNames();

  /** Returns what stands for {@code = one of :sessions}. */
  protected abstract String inSessions();

  /** Returns the expression for the incarnation of the data. */
  protected abstract String dataIncarnation();

  /**
   * Returns the expression for the incarnation of the server, within which its times can be
   * compared.
   */
  protected abstract String incarnation();

  /**
   * Returns the condition that a time written in an incarnation can be compared with this clock.
   */
  protected String comparable(String column) {
    return column + " = " + incarnation();
  }

  /**
   * Returns the condition that a time written in an incarnation can be compared with this clock,
   * for processes that are told the incarnation by their machine. One that is not told takes all
   * times for comparable, and re-stamps none on that account, and so do the others with its times.
   * Else two processes of which each takes the other's for doubtful would give a dead session a new
   * lease in turn, for ever. And one that takes those of a living session for doubtful would
   * re-stamp them after each renewal.
   */
  protected static String comparableIfKnown(String column) {
    return "(%1$s = :incarnation OR %1$s = '%2$s' OR :incarnation = '%2$s')"
        .formatted(column, Machine.UNKNOWN);
  }

  /**
   * Returns the condition that this incarnation has gone on for a TTL at least: sessions of another
   * one that could be renewed have been.
   */
  protected abstract String settled();

  /** Returns the condition that an incarnation has gone on for a TTL since a time. */
  protected static String settledSince(String began) {
    return "(SELECT %s + max_ttl + max_clock_step <= {now} FROM {namespace})".formatted(began);
  }

  /**
   * Returns the same for databases whose clients are all on the machine whose boot is the
   * incarnation: those of another one have gone with it.
   */
  protected static String settledAtOnce() {
    return "1 = 1";
  }

  /** Returns a condition that holds, and makes the statement durable if the connection is not. */
  protected String durably() {
    return "1 = 1";
  }

  /** Returns a statement in the spelling of this database. */
  protected abstract String spell(String text);

  /** A JSON array: text functions would take a name's own bytes apart. */
  @Override
  public Object names(Collection<String> hex) {
    return json(hex);
  }

  @Override
  public Object sessions(Collection<String> ids) {
    return json(ids);
  }

  /** None of the texts needs escaping. */
  private static String json(Collection<String> texts) {
    return texts.stream().collect(Collectors.joining("\",\"", "[\"", "\"]"));
  }

  @Override
  public final String render(String text, String prefix) {
    String spelled =
        spell(
            replaced(COMPARABLE, text, this::comparable)
                .replace("{data incarnation}", dataIncarnation())
                .replace("{incarnation}", incarnation())
                .replace("{notices but one}", NOTICES_BUT_ONE)
                .replace("{protocol}", Integer.toString(protocol()))
                .replace("{durably}", durably())
                .replace("{settled}", settled())
                .replace("{now}", now())
                .replace("{in names}", inNames())
                .replace("{in sessions}", inSessions()));
    return OURS.matcher(spelled).replaceAll(name -> prefix + name.group(1));
  }

  private static String replaced(Pattern pattern, String text, UnaryOperator<String> by) {
    return pattern
        .matcher(text)
        .replaceAll(match -> Matcher.quoteReplacement(by.apply(match.group(1))));
  }

  @Override
  public SessionChanges changes() {
    return new ReturningSessionChanges(this);
  }

  @Override
  public String namespace() {
    return """
        SELECT protocol, partitions, max_ttl, max_clock_step FROM {namespace}""";
  }

  @Override
  public String writeNamespace() {
    return """
        INSERT INTO {namespace}
          (only_row, protocol, partitions, max_ttl, max_clock_step, floor, life, guard_until)
        VALUES (1, :protocol, :partitions, :maxttl, :maxclockstep, 0, {data incarnation}, 0)
        ON CONFLICT (only_row) DO NOTHING""";
  }

  @Override
  public String openSession() {
    return """
        INSERT INTO {sessions} (id, ttl, renewed, incarnation, opened_in, process, notices)
        SELECT :session, :ttl, {now}, {incarnation}, {data incarnation}, :process, ''
        FROM {namespace} n
        WHERE n.life = {data incarnation} AND n.protocol = {protocol} AND {durably}
        ON CONFLICT (id) DO NOTHING
        RETURNING renewed""";
  }

  @Override
  public String renew() {
    return """
        UPDATE {sessions} SET renewed = {now}, incarnation = {incarnation}
        WHERE id = :session AND opened_in = {data incarnation} AND {durably}
        RETURNING ttl, notices, renewed, incarnation""";
  }

  @Override
  public String closeSession() {
    return """
        DELETE FROM {sessions} WHERE id = :session""";
  }

  @Override
  public String endLapsed() {
    return """
        DELETE FROM {sessions}
        WHERE id = :session
          AND (opened_in <> {data incarnation}
               OR ({comparable incarnation} AND renewed <= {now}
                   AND renewed + ttl + (SELECT max_clock_step FROM {namespace}) <= {now}))""";
  }

  @Override
  public String doubtful() {
    return """
        SELECT NOT ({comparable incarnation}) OR renewed > {now} AS doubtful FROM {sessions}
        WHERE id = :session""";
  }

  @Override
  public String restampSession() {
    return """
        UPDATE {sessions} SET renewed = {now}, incarnation = {incarnation}
        WHERE id = :session AND opened_in = {data incarnation}
          AND (NOT ({comparable incarnation}) OR renewed > {now})""";
  }

  @Override
  public String restampGuard() {
    return """
        UPDATE {namespace} SET guard_until = {now} + max_ttl + max_clock_step
        WHERE guard_until > {now} + max_ttl + max_clock_step""";
  }

  @Override
  public String acknowledge() {
    return """
        UPDATE {sessions} SET notices = replace({notices but one}, :once, '')
        WHERE id = :session AND (instr(notices, :once) > 0 OR instr(notices, :begin) > 0)""";
  }

  @Override
  public String restampIdle() {
    return """
        UPDATE {locks} SET since = {now} WHERE name {in names} AND since > {now}""";
  }

  @Override
  public String raiseFloor() {
    return """
        UPDATE {namespace} SET floor = :number WHERE floor < :number""";
  }

  @Override
  public String sessionsAhead() {
    return """
        SELECT id FROM {sessions} WHERE renewed > {now} LIMIT :limit""";
  }

  /** The incarnation stays: a waiter still finds a time of another one doubtful. */
  @Override
  public String restampAhead() {
    return """
        UPDATE {sessions} SET renewed = {now} WHERE id {in sessions} AND renewed > {now}""";
  }

  /**
   * Sessions of another incarnation are not given a new time here, as a waiter would: machines that
   * are switched off every night would keep them for ever. Their times are compared with this clock
   * only when each client that was able to renew has done so. Each row is judged once more when it
   * is locked: it may have been renewed since it was found.
   */
  @Override
  public String deleteLapsed() {
    return """
        DELETE FROM {sessions} WHERE id IN (
          SELECT id FROM {sessions} WHERE [lapsed] LIMIT :limit)
        AND [lapsed]"""
        .replace("[lapsed]", LAPSED);
  }
}
