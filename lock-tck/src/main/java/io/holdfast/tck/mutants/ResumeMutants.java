package io.holdfast.tck.mutants;

import io.holdfast.FencingToken;
import io.holdfast.Grant;
import io.holdfast.LockClient;
import io.holdfast.SessionId;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.ResumableSessions;
import io.holdfast.spi.answer.Resumed;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.faults.InterceptedBackend;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Mistakes in going on with a session. */
final class ResumeMutants {

  private static final int PAGE = 100;

  private ResumeMutants() {}

  static List<Mutant> all() {
    return List.of(
        Mutant.ofBackend(
            "resume-overlooks-what-waits",
            "A request that nobody resumes is kept by the renewals, and held by nobody",
            OverlooksWhatWaits::new,
            "ResumeRules.anOrphanedSessionIsResumedWithWhatItHoldsAndWaitsFor",
            "ResumeRules.aRequestBehindAHolderThatHasLapsedIsResumedAsWell"),
        Mutant.ofBackend(
            "resume-reads-one-page",
            "All requests of a session are resumed",
            ReadsOnePage::new,
            "ResumeRules.allRequestsOfASessionThatHasManyAreResumed"),
        Mutant.ofClient(
            "resume-from-zero",
            "† Who resumes a session cannot know which tokens were made of its numbers",
            ResumeMutants::fromZero,
            "OrphanRules.whatAnOrphanedSessionHoldsIsHeldOnByWhoResumesIt"));
  }

  private abstract static class Forgetful extends InterceptedBackend implements ResumableSessions {
    Forgetful(LockBackend target) {
      super(target);
    }

    abstract Stream<RequestKey> kept(SessionId session, List<RequestKey> requests, Deadline until);

    @Override
    public Optional<Resumed> resume(SessionId session, Deadline deadline) {
      return ((ResumableSessions) target())
          .resume(session, deadline)
          .map(
              all ->
                  new Resumed(
                      all.ttl(),
                      all.namespace(),
                      kept(session, all.requests(), deadline).toList()));
    }
  }

  private static final class OverlooksWhatWaits extends Forgetful {
    OverlooksWhatWaits(LockBackend target) {
      super(target);
    }

    @Override
    Stream<RequestKey> kept(SessionId session, List<RequestKey> requests, Deadline until) {
      List<Standing> standings = look(session, requests, until);
      return IntStream.range(0, requests.size())
          .filter(i -> standings.get(i) instanceof Standing.Holding)
          .mapToObj(requests::get);
    }
  }

  private static final class ReadsOnePage extends Forgetful {
    ReadsOnePage(LockBackend target) {
      super(target);
    }

    @Override
    Stream<RequestKey> kept(SessionId session, List<RequestKey> requests, Deadline until) {
      return requests.stream().limit(PAGE);
    }
  }

  private static LockClient fromZero(LockClient client) {
    return proxy(
        LockClient.class,
        (proxy, method, arguments) ->
            method.getName().equals("resume")
                ? client.resume((SessionId) arguments[0]).stream()
                    .map(ResumeMutants::withFirstToken)
                    .toList()
                : passedOn(client, method, arguments));
  }

  private static Grant withFirstToken(Grant grant) {
    return proxy(
        Grant.class,
        (proxy, method, arguments) ->
            method.getName().equals("token")
                ? FencingToken.of(grant.token().number(), 0)
                : passedOn(grant, method, arguments));
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static Object passedOn(Object target, Method method, Object... arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
