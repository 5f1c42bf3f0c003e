package io.holdfast.benchmarks.part;

import io.holdfast.benchmarks.store.StoreKind;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The parts that a run can have, in the order of the report. */
public final class Parts {

  private static final List<Part> ALL =
      List.of(
          new ComparisonPart(),
          new LayersPart(),
          new RungsPart(),
          new ContendedPart(),
          new CachedPart(),
          new CountsPart(),
          new AsyncPart(),
          new JmhPart(),
          new ProcessesPart(),
          new SimulationPart(),
          new CapacityPart());

  private Parts() {}

  /** Returns the names of all. */
  public static List<String> names() {
    return ALL.stream().map(Part::name).toList();
  }

  /** Returns the parts of a run of which no part was named. */
  public static List<Part> of(Plan.Length length) {
    return ALL.stream().filter(part -> part.belongsTo(length)).toList();
  }

  /** Returns the parts of those names; refuses a name that none has. */
  public static List<Part> named(List<String> names) {
    for (String name : names) {
      if (!names().contains(name)) {
        throw new IllegalArgumentException(
            "There is no part \"%s\". Known are %s.".formatted(name, String.join(", ", names())));
      }
    }
    return ALL.stream().filter(part -> names.contains(part.name())).toList();
  }

  /** Refuses parts that have no use for an earlier version. */
  public static void requireComparing(List<Part> parts) {
    if (parts.stream().noneMatch(Part::comparesVersions)) {
      throw new IllegalArgumentException(
          "An earlier version takes part in %s only. Leave out --before, or name one of these parts."
              .formatted(joined(ALL.stream().filter(Part::comparesVersions).map(Part::name))));
    }
  }

  /** Refuses a part that was named, and would do nothing about a store that was named with it. */
  public static void requireMeasuring(List<Part> parts, Plan plan) {
    parts.forEach(part -> requireMeasured(part, plan));
  }

  private static void requireMeasured(Part part, Plan plan) {
    if (plan.given().filter(given -> !part.measures(given)).isPresent()) {
      throw new IllegalArgumentException(
          "The part %s cannot measure the store of --uri. Leave out --uri, or name one of the parts %s."
              .formatted(part.name(), joined(measuring(plan).map(Part::name))));
    }
    Predicate<StoreKind> measured = part::measures;
    if (plan.named() && plan.stores().stream().anyMatch(measured.negate())) {
      throw new IllegalArgumentException(
          "The part %s cannot measure %s. Name some of %s by --store, or leave it out."
              .formatted(
                  part.name(),
                  labels(plan.stores().stream().filter(measured.negate())),
                  labels(Arrays.stream(StoreKind.values()).filter(measured))));
    }
  }

  private static Stream<Part> measuring(Plan plan) {
    return ALL.stream().filter(part -> plan.given().filter(part::measures).isPresent());
  }

  private static String labels(Stream<StoreKind> kinds) {
    return joined(kinds.map(StoreKind::label));
  }

  private static String joined(Stream<String> names) {
    return names.collect(Collectors.joining(", "));
  }
}
