package io.holdfast.redis.kit;

import java.util.List;
import java.util.stream.Stream;

/**
 * A mistake in what scripts decide.
 *
 * @param name that of the same mistake in the store in memory
 * @param rule the rule of the kit that rejects it
 * @param edits each a text of the scripts and what stands in for it
 */
public record ScriptMutant(String name, String rule, List<Edit> edits) {

  /** A text, and what stands in for it. */
  public record Edit(String right, String wrong) {}

  public static ScriptMutant of(String name, String rule, String right, String wrong) {
    return new ScriptMutant(name, rule, List.of(new Edit(right, wrong)));
  }

  /** One more text is another. */
  public ScriptMutant and(String right, String wrong) {
    return new ScriptMutant(
        name, rule, Stream.concat(edits.stream(), Stream.of(new Edit(right, wrong))).toList());
  }

  public String in(String script) {
    String text = script;
    for (Edit edit : edits) {
      text = text.replace(edit.right(), edit.wrong());
    }
    return text;
  }

  @Override
  public String toString() {
    return name;
  }

  public static List<ScriptMutant> all() {
    return Stream.of(stays(), shared(), losses()).flatMap(List::stream).toList();
  }

  private static List<ScriptMutant> stays() {
    return List.of(
        of(
            "second-release-frees",
            "StayRules.aFurtherReleaseChangesNothingThatStays",
            "return release(read(ARGV[4], UNTOUCHED), ARGV[5])",
            "local lock = read(ARGV[4], UNTOUCHED)\n"
                + "return release(lock, name_of_holder(lock, ARGV[5]) or ARGV[5])"),
        of(
            "tombstone-needs-session",
            "StayRules.whatStaysOutlivesItsSession",
            "return left > 0 and 'STAYING'",
            "return left > 0 and (kind == 'd' or liveness(session_of(sub(name, 2))) ~= 'ENDED')"
                + " and 'STAYING'"),
        of(
            "look-says-holding-tombstone",
            "StayRules.whatStaysIsAbsentForItsOwnerAndNotGrantedToALateCopy",
            "if lock.holder == request then",
            "if lock.holder == request or lock.holder == '~' .. request then"),
        of(
            "delay-if-no-stay",
            "StayRules.aNoticeUsesUpNoDelay",
            "if state == 'ENDED' and delay > 0 then",
            "if state == 'ENDED' and delay > 0 and kind_of(entry) == '-' then"),
        of(
            "delay-each-overtake",
            "StayRules.aDelayIsHadOnce",
            "replace(lock, name, without_delay(with_stay(entry, 'd', delay)))",
            "replace(lock, name, with_stay(entry, 'd', delay))"),
        of(
                "delay-after-release",
                "StayRules.aHolderThatReleasesLeavesNoDelay",
                "  local number = lock.number\n  remove(lock, request)",
                "  local number = lock.number\n"
                    + "  local left = entry_of(lock, request)\n"
                    + "  if state == 'holds' and delay_of(left) > 0 then\n"
                    + "    replace(lock, request,"
                    + " without_delay(with_stay(left, 'd', delay_of(left))))\n"
                    + "    return 'FREED'\n"
                    + "  end\n"
                    + "  remove(lock, request)")
            .and("if record and sub(record, 1, 1) == '0' and", "if false and"),
        of(
            "evict-unmarked",
            "StayRules.aHolderIsToldHowLongItMayStillHold",
            "if alive then\n  local notices",
            "if alive and notice == 0 then\n  local notices"),
        of(
            "evict-before-ttl",
            "StayRules.aShortNoticeLeavesAWholeTtlAllTheSame",
            "math.max(notice, alive and tonumber(found[2]) or 0) + step",
            "(notice > 0 and notice or alive and tonumber(found[2]) or 0) + step"),
        of(
            "stay-other-incarnation",
            "StayClockRules.aStayOfAnotherIncarnationIsNotOverBecauseTheClockIsAnother",
            "math.max(from, began) + sub(entry, 19, 34)",
            "from + sub(entry, 19, 34)"),
        of(
            "stay-restarts",
            "StayClockRules.aStayEndsAlthoughTheClockWasSetBack",
            "if from > now then\n    from = now",
            "if false then\n    from = now"),
        of(
            "stay-of-another-clock-never-ends",
            "StayClockRules.whatStaysOfAnotherIncarnationIsSweptInTheEnd",
            "math.max(from, began) + sub(entry, 19, 34)",
            "(from < began and now or from) + sub(entry, 19, 34)"));
  }

  private static List<ScriptMutant> shared() {
    return List.of(
        of(
            "run-ends-with-its-first",
            "SharedRules.anExclusiveRequestWaitsForAllThatShare",
            "and (not lock.has_queue or call('ZCOUNT', lock.queue, '-inf', text(lock.head)) == 0)",
            ""),
        of(
            "only-head-named",
            "SharedRules.deadHoldersAreRemovedOneByOneAndTheLivingStay",
            "name_obstacle(answer, found[i], state, true)",
            "name_obstacle(answer, found[i], i > 1 and 'LIVE' or state, true)"),
        of(
            "downgrade-keeps-number",
            "SharedRules.aDowngradeLetsSharedRequestsInAndNoExclusiveOne",
            "begin(lock, 's' .. sub(lock.entry, 2))",
            "lock.entry = 's' .. sub(lock.entry, 2)"),
        of(
            "joiner-gets-own-number",
            "SharedRules.sharedRequestsHoldTogether",
            "{'granted', text(lock.number), text(lock.since), '0'}",
            "{'granted', now_text, now_text, '0'}"),
        of(
            "joins-old-run",
            "SharedFailOverRules.aRunFromBeforeALossIsNotJoined",
            "is_shared(lock) and lock.life == life",
            "is_shared(lock)"),
        of(
            "extends-old-run",
            "SharedFailOverRules.aRunFromBeforeALossIsNotExtendedByAWithdrawal",
            "while may_be_joined(lock) do",
            "while is_shared(lock) do"));
  }

  /** Of clocks that are others, and of what may have been lost. */
  private static List<ScriptMutant> losses() {
    return List.of(
        of(
            "renewal-in-the-future-stays",
            "ClockRules.aClockSetBackCostsOneMoreTtlAndNotAnHour",
            "found[4] ~= incarnation or renewed > now or",
            "found[4] ~= incarnation or"),
        of(
            "doubtful-renewal-not-restamped",
            "ClockRules.aClockSetBackCostsOneMoreTtlAndNotAnHour",
            "    stamp_session(ARGV[4], tonumber(found[1]))\n    return 'alive'",
            "    return 'alive'"),
        of(
            "another-incarnations-clock-believed",
            "RestartRules.aSessionOfAnotherIncarnationIsGivenAWholeTtl",
            "if found[3] ~= incarnation or tonumber(found[2]) > now then",
            "if tonumber(found[2]) > now then"),
        of(
            "sweep-believes-another-clock",
            "SweepRules.aSessionOfAnotherIncarnationIsNotSweptBeforeItCanRenew",
            "(tonumber(found[2]) > now or found[3] ~= incarnation)",
            "tonumber(found[2]) > now"),
        of(
            "another-incarnations-revocation-believed",
            "RestartRules.aRevocationOfAnotherIncarnationIsNotDueBecauseTheClockIsAnother",
            "math.max(from, began) + sub(entry, 19, 34)",
            "from + sub(entry, 19, 34)"),
        of(
            "revocation-in-the-future-stays",
            "ClockRules.aRevocationIsDueAfterATtlAlthoughTheClockWasSetBack",
            "if from > now then\n    from = now",
            "if false then\n    from = now"),
        of(
            "revocation-counted-from-the-grant",
            "RevokeRules.aHolderOfLongStandingHasAWholeTtlFromItsRevocation",
            "math.max(from, began) + sub(entry, 19, 34)",
            "(kind_of(entry) == 'r' and lock.since or math.max(from, began)) + sub(entry, 19, 34)"),
        of(
            "no-restart-guard",
            "FailOverRules.nobodyIsGrantedAnythingUntilEarlierLeasesHaveRunOut",
            "guard = math.max(guard, now + maxttl + step)",
            "guard = 0"),
        of(
            "restart-guard-in-the-future-stays",
            "FailOverRules.aClockSetBackDuringTheGuardCostsOneMoreGuardAndNotAnHour",
            "if guard > now + longest then",
            "if false then"),
        of(
            "revocation-heedless-of-the-guard",
            "FailOverRules.duringTheGuardARevocationThatIsSafeFreesNothing",
            "local guarded_for = ARGV[8] == '1' and guard_left() or 0",
            "local guarded_for = 0"),
        of(
            "sessions-outlive-the-loss-of-grants",
            "FailOverRules.aSessionOfBeforeAFailOverIsOver",
            "life = text(math.max(now, life + 1))",
            "life = text(tonumber(life))"),
        of(
            "the-ended-hold-on",
            "LookRules.aRequestOfASessionThatIsOverHoldsNothing",
            "if not state or not alive then",
            "if not state then"));
  }
}
