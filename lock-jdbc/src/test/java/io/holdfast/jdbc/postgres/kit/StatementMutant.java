package io.holdfast.jdbc.postgres.kit;

import io.holdfast.jdbc.database.TablePrefix;
import io.holdfast.jdbc.postgres.PostgresDialect;
import java.util.List;
import java.util.stream.Stream;

/**
 * A mistake in what statements decide.
 *
 * @param name that of the same mistake in the store in memory
 * @param rule the rule of the kit that rejects it
 * @param edits each a text of the statements and what stands in for it, with as many parameters
 */
record StatementMutant(String name, String rule, List<Edit> edits) {

  private static final PostgresDialect DIALECT = new PostgresDialect();

  /** A text as it is sent, and what stands in for it. */
  record Edit(String right, String wrong) {
    static Edit of(String right, String wrong) {
      return new Edit(
          DIALECT.render(right, TablePrefix.USUAL), DIALECT.render(wrong, TablePrefix.USUAL));
    }
  }

  static StatementMutant of(String name, String rule, String right, String wrong) {
    return new StatementMutant(name, rule, List.of(Edit.of(right, wrong)));
  }

  /** One more text is another. */
  StatementMutant and(String right, String wrong) {
    return new StatementMutant(
        name, rule, Stream.concat(edits.stream(), Stream.of(Edit.of(right, wrong))).toList());
  }

  String in(String statement) {
    String text = statement;
    for (Edit edit : edits) {
      text = text.replace(edit.right(), edit.wrong());
    }
    return text;
  }

  @Override
  public String toString() {
    return name;
  }

  static List<StatementMutant> all() {
    return Stream.of(stays(), shared(), losses()).flatMap(List::stream).toList();
  }

  private static List<StatementMutant> stays() {
    return List.of(
        of(
            "second-release-frees",
            "StayRules.aFurtherReleaseChangesNothingThatStays",
            "AND holder = ? AND (run > 0",
            "AND ltrim(holder, '~') = ? AND (run > 0"),
        of(
                "tombstone-needs-session",
                "StayRules.whatStaysOutlivesItsSession",
                "y.stay IN ('', 'revoked')",
                "y.stay IN ('', 'revoked', 'at-least')")
            .and("m.id = left(y.request, 32)", "m.id = left(ltrim(y.request, '~'), 32)"),
        of(
            "look-says-holding-tombstone",
            "StayRules.whatStaysIsAbsentForItsOwnerAndNotGrantedToALateCopy",
            "l.holder = k.request",
            "ltrim(l.holder, '~') = k.request"),
        of(
            "delay-if-no-stay",
            "StayRules.aNoticeUsesUpNoDelay",
            "l.lock_delay > 0 AND s.ttl IS NULL",
            "l.lock_delay > 0 AND l.stay = '' AND s.ttl IS NULL"),
        of(
            "delay-each-overtake",
            "StayRules.aDelayIsHadOnce",
            "stay_in = {incarnation}, lock_delay = 0",
            "stay_in = {incarnation}"),
        of(
                "delay-after-release",
                "StayRules.aHolderThatReleasesLeavesNoDelay",
                """
            payload = '', lock_delay = 0, stay = '', stay_from = 0, stay_for = 0, stay_in = '',
            """
                    .strip(),
                """
            payload = '', stay = CASE WHEN lock_delay > 0 THEN 'lock-delay' ELSE '' END,
            stay_from = {now}, stay_for = lock_delay, stay_in = {incarnation}, lock_delay = 0,
            """
                    .strip())
            .and(
                "holder = '', process = '', why",
                "holder = CASE WHEN lock_delay > 0 THEN holder ELSE '' END, process = CASE WHEN lock_delay > 0 THEN process ELSE '' END, why"),
        of(
            "evict-unmarked",
            "StayRules.aHolderIsToldHowLongItMayStillHold",
            "AND (strpos(notices, ?) = 0",
            "AND false AND (strpos(notices, ?) = 0"),
        of(
            "evict-before-ttl",
            "StayRules.aShortNoticeLeavesAWholeTtlAllTheSame",
            "greatest(?, coalesce(s.ttl, 0))",
            "coalesce(nullif(?, 0), s.ttl, 0)"),
        of(
                "stay-other-incarnation",
                "StayClockRules.aStayOfAnotherIncarnationIsNotOverBecauseTheClockIsAnother",
                "{comparable y.stay_in} AND",
                "true AND")
            .and("{comparable a.stay_in} AS", "true AS"),
        of(
            "stay-restarts",
            "StayClockRules.aStayEndsAlthoughTheClockWasSetBack",
            "(stay_from > {now} OR NOT",
            "(false OR NOT"),
        of(
            "stay-of-another-clock-never-ends",
            "StayClockRules.whatStaysOfAnotherIncarnationIsSweptInTheEnd",
            "(stay_from > {now} OR NOT ({comparable stay_in}))",
            "stay_from > {now}"));
  }

  private static List<StatementMutant> shared() {
    return List.of(
        of(
                "run-ends-with-its-first",
                "SharedRules.anExclusiveRequestWaitsForAllThatShare",
                "AND s.run = p.places AS ends",
                "AS ends")
            .and("AND (run > 0 OR head = tail)", "AND run = 0 AND head = tail"),
        of(
            "only-head-named",
            "SharedRules.deadHoldersAreRemovedOneByOneAndTheLivingStay",
            "WHERE l.run > 0 AND q.name = l.name AND q.pos <= l.head",
            "WHERE false"),
        of(
            "reader-names-only-writers",
            "SharedFailOverRules.aRunFromBeforeALossIsNotJoined",
            ") h WHERE mine.pos > l.head",
            ") h WHERE mine.pos > l.head AND (SELECT q.mode FROM {queue} q WHERE q.request = k.request) = 'x'"),
        of(
            "downgrade-keeps-number",
            "SharedRules.aDowngradeLetsSharedRequestsInAndNoExclusiveOne",
            "greatest({now}, l.number + 1), since = {now}, given_in",
            "l.number, given_in"),
        of(
            "joiner-gets-own-number",
            "SharedRules.sharedRequestsHoldTogether",
            "SELECT l.number, l.since, l.given_in",
            "SELECT l.number + 1, l.since, l.given_in"),
        of(
            "joins-old-run",
            "SharedFailOverRules.aRunFromBeforeALossIsNotJoined",
            "AND l.given_in = excluded.given_in",
            ""),
        of(
            "extends-old-run",
            "SharedFailOverRules.aRunFromBeforeALossIsNotExtendedByAWithdrawal",
            "AND s.given_in = n.life AS opened",
            "AS opened"));
  }

  /** Of clocks that are others, and of what may have been lost. */
  private static List<StatementMutant> losses() {
    return List.of(
        of(
            "doubtful-renewal-not-restamped",
            "ClockRules.aClockSetBackCostsOneMoreTtlAndNotAnHour",
            "AND (NOT ({comparable incarnation}) OR renewed > {now})",
            "AND false"),
        of(
            "renewal-in-the-future-stays",
            "ClockRules.aClockSetBackCostsOneMoreTtlAndNotAnHour",
            "OR renewed > {now} AS doubtful",
            "AS doubtful"),
        of(
            "another-incarnations-clock-believed",
            "RestartRules.aSessionOfAnotherIncarnationIsGivenAWholeTtl",
            "({comparable incarnation} AND renewed",
            "(true AND renewed"),
        of(
            "sweep-believes-another-clock",
            "SweepRules.aSessionOfAnotherIncarnationIsNotSweptBeforeItCanRenew",
            "OR {comparable incarnation} OR {settled})",
            "OR true)"),
        of(
            "another-incarnations-revocation-believed",
            "RestartRules.aRevocationOfAnotherIncarnationIsNotDueBecauseTheClockIsAnother",
            "{comparable a.stay_in} AS",
            "true AS"),
        of(
            "revocation-in-the-future-stays",
            "ClockRules.aRevocationIsDueAfterATtlAlthoughTheClockWasSetBack",
            "(stay_from > {now} OR NOT",
            "(false OR NOT"),
        of(
            "revocation-counted-from-the-grant",
            "RevokeRules.aHolderOfLongStandingHasAWholeTtlFromItsRevocation",
            "SELECT {now}, CASE WHEN l.stay = '' THEN",
            "SELECT l.since, CASE WHEN l.stay = '' THEN"),
        of(
            "no-restart-guard",
            "FailOverRules.nobodyIsGrantedAnythingUntilEarlierLeasesHaveRunOut",
            "(? = 0 OR n.guard_until = 0",
            "(? = 0 OR true"),
        of(
            "restart-guard-in-the-future-stays",
            "FailOverRules.aClockSetBackDuringTheGuardCostsOneMoreGuardAndNotAnHour",
            "WHERE guard_until > {now} + max_ttl + max_clock_step",
            "WHERE false"),
        of(
                "the-ended-hold-on",
                "LookRules.aRequestOfASessionThatIsOverHoldsNothing",
                "mine.pos IS NOT NULL) AND EXISTS",
                "mine.pos IS NOT NULL) AND (true OR EXISTS")
            .and(
                "{data incarnation})\nORDER BY k.place", "{data incarnation}))\nORDER BY k.place"));
  }
}
