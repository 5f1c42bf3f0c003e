package io.holdfast.tck.mutants;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.faults.InterceptedBackend;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Mistakes about what a name is. */
final class NameMutants {

  private static final String[] ANY_NAME = {
    "NameRules.differentNamesAreDifferentLocks", "NameRules.aNameComesBackAsItWasGiven"
  };

  private NameMutants() {}

  static List<Mutant> all() {
    return List.of(
        folding("names-without-case", name -> name.toLowerCase(Locale.ROOT)),
        folding("names-trimmed", name -> name.isBlank() ? name : name.stripTrailing()),
        folding("names-normalised", name -> Normalizer.normalize(name, Normalizer.Form.NFC)),
        folding("names-without-accents", NameMutants::withoutAccents),
        folding("names-cut-off", NameMutants::cutOff),
        Mutant.ofBackend(
            "name-blocked-by-its-prefix",
            "† No name's key is a prefix of another's (known failure 54)",
            NameMutants::blockedByPrefix,
            "NameRules.differentNamesAreDifferentLocks"),
        Mutant.ofBackend(
            "prefix-is-a-pattern",
            "A prefix is text and nothing else",
            NameMutants::listingByPattern,
            "NameRules.aPrefixIsTakenLiterally"),
        Mutant.ofBackend(
            "listed-in-another-order",
            "Names are listed in the order of their bytes, so that pages meet",
            NameMutants::listingInUtf16,
            "NameRules.namesAreListedInTheOrderOfTheirBytes"),
        Mutant.ofBackend(
            "every-page-is-the-first",
            "A list is paged",
            NameMutants::listingTheFirstPage,
            "RecordRules.aListIsPaged"));
  }

  private static Mutant folding(String name, UnaryOperator<String> fold) {
    return Mutant.ofBackend(
        name,
        "A name is its UTF-8 bytes and nothing else (known failure 54)",
        target -> new Folding(target, fold),
        ANY_NAME);
  }

  private static String withoutAccents(String name) {
    String bare = Normalizer.normalize(name, Normalizer.Form.NFD).replaceAll("\\p{M}", "");
    return bare.isEmpty() ? name : bare;
  }

  private static String cutOff(String name) {
    int bytesMax = 255;
    String cut = name;
    while (cut.getBytes(StandardCharsets.UTF_8).length > bytesMax) {
      cut = cut.substring(0, cut.offsetByCodePoints(cut.length(), -1));
    }
    return cut;
  }

  private static final class Folding extends InterceptedBackend {
    private final UnaryOperator<String> fold;

    Folding(LockBackend target, UnaryOperator<String> fold) {
      super(target);
      this.fold = fold;
    }

    private LockName folded(LockName name) {
      return new LockName(fold.apply(name.value()));
    }

    @Override
    public Attempt grab(Request request, Deadline deadline) {
      return super.grab(request.with(folded(request.name())), deadline);
    }

    @Override
    public Released release(LockName name, RequestId request, Deadline deadline) {
      return super.release(folded(name), request, deadline);
    }

    @Override
    public List<Standing> look(SessionId session, List<RequestKey> requests, Deadline deadline) {
      return super.look(
          session,
          requests.stream().map(key -> new RequestKey(folded(key.name()), key.request())).toList(),
          deadline);
    }

    @Override
    public Optional<LockRecord> inspect(LockName name, Deadline deadline) {
      return super.inspect(folded(name), deadline);
    }
  }

  private static LockBackend blockedByPrefix(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public Attempt grab(Request request, Deadline deadline) {
        // As one that asks for the first key from a name on, instead of for the key.
        return super.list(request.name().value(), Optional.empty(), 1, deadline).stream()
            .filter(record -> !record.name().equals(request.name()))
            .findFirst()
            .<Attempt>map(record -> new Attempt.Refused(record, Optional.empty()))
            .orElseGet(() -> super.grab(request, deadline));
      }
    };
  }

  private static List<LockRecord> everything(LockBackend target, Deadline deadline) {
    return target.list("", Optional.empty(), Integer.MAX_VALUE, deadline);
  }

  private static LockBackend listingByPattern(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public List<LockRecord> list(
          String prefix, Optional<LockName> after, int limit, Deadline deadline) {
        StringBuilder pattern = new StringBuilder();
        prefix
            .codePoints()
            .mapToObj(Character::toString)
            .map(c -> c.equals("%") ? ".*" : c.equals("_") ? "." : Pattern.quote(c))
            .forEach(pattern::append);
        Pattern like = Pattern.compile(pattern + ".*", Pattern.DOTALL);
        return everything(target(), deadline).stream()
            .filter(record -> like.matcher(record.name().value()).matches())
            .filter(record -> after.isEmpty() || record.name().compareTo(after.get()) > 0)
            .limit(limit)
            .toList();
      }
    };
  }

  private static LockBackend listingInUtf16(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public List<LockRecord> list(
          String prefix, Optional<LockName> after, int limit, Deadline deadline) {
        return super.list(prefix, after, limit, deadline).stream()
            .sorted(Comparator.comparing(record -> record.name().value()))
            .toList();
      }
    };
  }

  private static LockBackend listingTheFirstPage(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public List<LockRecord> list(
          String prefix, Optional<LockName> after, int limit, Deadline deadline) {
        return super.list(prefix, Optional.empty(), limit, deadline);
      }
    };
  }
}
