package io.holdfast.tck.mutants;

import io.holdfast.Payload;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Observed;
import io.holdfast.tck.faults.InterceptedBackend;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/** Mistakes about the texts published with a lock. */
final class RecordMutants {

  private RecordMutants() {}

  static List<Mutant> all() {
    return List.of(
        Mutant.ofBackend(
            "payload-is-text",
            "A payload is bytes",
            target -> publishing(target, payload -> Payload.ofText(payload.text()), why -> why),
            "RecordRules.aPayloadComesBackAsItWasGiven"),
        Mutant.ofBackend(
            "payload-cut-off",
            "A payload has up to 4 KiB",
            target -> publishing(target, RecordMutants::cutOff, why -> why),
            "RecordRules.aPayloadComesBackAsItWasGiven"),
        Mutant.ofBackend(
            "payload-lost-while-waiting",
            "What a waiter publishes appears with its grant",
            target -> publishing(target, payload -> Payload.EMPTY, why -> ""),
            "RecordRules.aPayloadComesWithTheGrantAfterAWait"),
        Mutant.ofBackend(
            "reason-trimmed",
            "A reason comes back as it was given",
            target -> publishing(target, payload -> payload, String::strip),
            "RecordRules.aReasonComesBackAsItWasGiven"),
        Mutant.ofBackend(
            "reason-cut-off",
            "A reason has up to 512 characters, whatever their bytes",
            target -> publishing(target, payload -> payload, RecordMutants::cutOff),
            "RecordRules.aReasonComesBackAsItWasGiven"),
        Mutant.ofBackend(
            "reason-lost-on-the-way",
            "What a request says of itself stays with it when it overtakes",
            RecordMutants::silentOvertakes,
            "RequestWordsRules.whatARequestSaysStaysWhenItOvertakes"));
  }

  private static LockBackend silentOvertakes(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public Attempt overtake(Request request, Observed observed, Deadline deadline) {
        return super.overtake(request.why(""), observed, deadline);
      }
    };
  }

  private static Payload cutOff(Payload payload) {
    byte[] bytes = payload.bytes();
    return Payload.of(Arrays.copyOf(bytes, Math.min(bytes.length, 1000)));
  }

  private static String cutOff(String why) {
    return why.substring(0, Math.min(why.length(), 255));
  }

  private static LockBackend publishing(
      LockBackend target, UnaryOperator<Payload> payload, UnaryOperator<String> why) {
    return new InterceptedBackend(target) {
      @Override
      public Attempt grab(Request request, Deadline deadline) {
        return super.grab(
            request.why(why.apply(request.why())).with(payload.apply(request.payload())), deadline);
      }
    };
  }
}
