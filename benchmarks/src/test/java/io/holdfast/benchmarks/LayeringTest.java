package io.holdfast.benchmarks;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.holdfast.benchmarks", importOptions = DoNotIncludeTests.class)
class LayeringTest {

  /** What measures knows neither parts nor reports. A new package says here what it may use. */
  @ArchTest
  static final ArchRule packagesDependDownwards =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .ensureAllClassesAreContainedInArchitecture()
          .layer("command")
          .definedBy("io.holdfast.benchmarks")
          .layer("part")
          .definedBy("io.holdfast.benchmarks.part")
          .layer("report")
          .definedBy("io.holdfast.benchmarks.report")
          .layer("comparison")
          .definedBy("io.holdfast.benchmarks.comparison")
          .layer("jmh")
          .definedBy("io.holdfast.benchmarks.jmh..")
          .layer("counts")
          .definedBy("io.holdfast.benchmarks.counts")
          .layer("async")
          .definedBy("io.holdfast.benchmarks.async")
          .layer("process")
          .definedBy("io.holdfast.benchmarks.process")
          .layer("simulation")
          .definedBy("io.holdfast.benchmarks.simulation")
          .layer("rungs")
          .definedBy("io.holdfast.benchmarks.rungs")
          .layer("store")
          .definedBy("io.holdfast.benchmarks.store")
          .layer("peer")
          .definedBy("io.holdfast.benchmarks.peer")
          .layer("limit")
          .definedBy("io.holdfast.benchmarks.limit")
          .layer("contender")
          .definedBy("io.holdfast.benchmarks.contender")
          .whereLayer("command")
          .mayOnlyAccessLayers("part", "report", "store", "contender")
          .whereLayer("part")
          .mayOnlyBeAccessedByLayers("command")
          .whereLayer("report")
          .mayNotAccessAnyLayer()
          .whereLayer("comparison")
          .mayOnlyAccessLayers("contender")
          .whereLayer("jmh")
          .mayNotAccessAnyLayer()
          .whereLayer("counts")
          .mayOnlyAccessLayers("store", "contender")
          .whereLayer("async")
          .mayNotAccessAnyLayer()
          .whereLayer("process")
          .mayOnlyAccessLayers("comparison", "store")
          .whereLayer("simulation")
          .mayOnlyAccessLayers("comparison", "store")
          .whereLayer("rungs")
          .mayOnlyAccessLayers("store", "contender")
          .whereLayer("store")
          .mayOnlyAccessLayers("peer", "limit", "contender")
          .whereLayer("peer")
          .mayOnlyAccessLayers("contender")
          .whereLayer("limit")
          .mayOnlyAccessLayers("contender")
          .whereLayer("contender")
          .mayNotAccessAnyLayer();

  @ArchTest
  static final ArchRule thereAreNoCyclesBetweenPackages =
      slices().matching("io.holdfast.benchmarks.(*)..").should().beFreeOfCycles();

  /** A peer is what a reader can check in a minute, so nothing of Holdfast is in it. */
  @ArchTest
  static final ArchRule limitsAndPeersUseNothingOfHoldfast =
      noClasses()
          .that()
          .resideInAnyPackage("io.holdfast.benchmarks.limit", "io.holdfast.benchmarks.peer")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.holdfast",
              "io.holdfast.error",
              "io.holdfast.record",
              "io.holdfast.spi..",
              "io.holdfast.engine..",
              "io.holdfast.jdbc..",
              "io.holdfast.redis..",
              "io.holdfast.etcd..",
              "io.holdfast.zookeeper..",
              "io.holdfast.mongo..");
}
