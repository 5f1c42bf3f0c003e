package io.holdfast.tck.report.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.tck.claim.Claim;
import io.holdfast.tck.claim.Level;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the results of several classes come to. */
class ReportTest {

  @Test
  void aClaimIsNotProvedByOneRuleWhileAnotherOfItsTopicHasShownNothing() {
    Report report =
        report(
            result("HF-QUO-01", "QuorumRules.one", Status.PASSED),
            result("HF-QUO-02", "QuorumRules.other", Status.NOT_PROVED));

    assertThat(report.claims())
        .containsExactly(
            new Report.ClaimVerdict(
                Claim.GUARDED, Status.NOT_PROVED, "Not by HF-QUO-01 alone. HF-QUO-02: Skipped."));
  }

  /** As on a cluster that fails over, and has no control of the kit that makes it do so. */
  @Test
  void theRulesOfAnotherTopicMayProveItAlone() {
    Report report =
        report(
            result("HF-CLU-01", "ClusterOutageRules.one", Status.PASSED),
            result("HF-QUO-01", "QuorumRules.one", Status.NOT_PROVED));

    assertThat(status(report)).isEqualTo(Status.PASSED);
  }

  @Test
  void theTestsOfAClassOfItsOwnMayProveItAlone() {
    Report report =
        report(
            result("", "RestartTest.one", Status.PASSED),
            result("HF-QUO-01", "QuorumRules.one", Status.NOT_PROVED));

    assertThat(status(report)).isEqualTo(Status.PASSED);
  }

  @Test
  void whatDoesNotApplyIsNoGap() {
    Report report =
        report(
            result("HF-QUO-01", "QuorumRules.one", Status.PASSED),
            result("HF-QUO-02", "QuorumRules.other", Status.NOT_APPLICABLE));

    assertThat(status(report)).isEqualTo(Status.PASSED);
  }

  @Test
  void whatIsNotNeededRefutesAndDoesNotProve() {
    Result passed = result("HF-TOK-07", "TokenRules.one", Status.PASSED);
    Result open = notNeeded("HF-TOK-08", "TokenRules.other", Status.NOT_PROVED);

    assertThat(status(report(passed, open))).isEqualTo(Status.PASSED);
    assertThat(status(report(passed, notNeeded("HF-TOK-08", "TokenRules.other", Status.FAILED))))
        .isEqualTo(Status.FAILED);
    assertThat(status(report(notNeeded("HF-TOK-08", "TokenRules.other", Status.PASSED))))
        .isEqualTo(Status.NOT_PROVED);
  }

  /** One class may show what another cannot. */
  @Test
  void aRuleThatPassedInOneClassIsProved() {
    Result passed = result("HF-QUO-01", "QuorumRules.one", Status.PASSED);

    assertThat(status(of(run("OneTest", passed), run("OtherTest", skipped(passed)))))
        .isEqualTo(Status.PASSED);
  }

  private static Result skipped(Result passed) {
    return passed.ended(Status.NOT_PROVED, "Skipped.");
  }

  private static Status status(Report report) {
    return report.claims().get(0).status();
  }

  private static Report report(Result... results) {
    return of(run("SomeTest", results));
  }

  private static Report of(Run... runs) {
    return Report.of(List.of(runs), List.of()).get(0);
  }

  private static Run run(String className, Result... results) {
    return new Run(
        "store",
        KitVersion.get(),
        className,
        Instant.EPOCH,
        "a store",
        "GUARDED",
        Set.of(Claim.GUARDED),
        List.of(),
        List.of(results));
  }

  private static Result result(String id, String name, Status status) {
    return result(id, name, true, status);
  }

  private static Result notNeeded(String id, String name, Status status) {
    return result(id, name, false, status);
  }

  private static Result result(String id, String name, boolean isNeeded, Status status) {
    return new Result(
        id,
        name,
        Level.LOSS,
        "",
        false,
        Set.of(Claim.GUARDED),
        isNeeded,
        status,
        status == Status.NOT_PROVED ? "Skipped." : "");
  }
}
