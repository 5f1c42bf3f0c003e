package io.holdfast.zookeeper;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.holdfast.zookeeper", importOptions = DoNotIncludeTests.class)
class LayeringTest {

  /** Neither the engine nor another adapter. */
  @ArchTest
  static final ArchRule anAdapterUsesTheSpiAndItsDriver =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "io.holdfast",
              "io.holdfast.error",
              "io.holdfast.record",
              "io.holdfast.spi",
              "io.holdfast.spi.answer",
              "io.holdfast.spi.support",
              "io.holdfast.zookeeper..",
              "org.apache.zookeeper..",
              "org.apache.curator..",
              "org.slf4j..",
              "org.jspecify..");

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().matching("io.holdfast.zookeeper.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule eachPackageUsesOnlyThoseBelowIt =
      layeredArchitecture()
          .consideringOnlyDependenciesInAnyPackage("io.holdfast.zookeeper..")
          .layer("backend")
          .definedBy("io.holdfast.zookeeper")
          .layer("queue")
          .definedBy("io.holdfast.zookeeper.queue")
          .layer("session")
          .definedBy("io.holdfast.zookeeper.session")
          .layer("layout")
          .definedBy("io.holdfast.zookeeper.layout")
          .layer("call")
          .definedBy("io.holdfast.zookeeper.call")
          .layer("connection")
          .definedBy("io.holdfast.zookeeper.connection")
          .whereLayer("backend")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("queue")
          .mayOnlyBeAccessedByLayers("backend")
          .whereLayer("session")
          .mayOnlyBeAccessedByLayers("backend", "queue")
          .whereLayer("layout")
          .mayOnlyBeAccessedByLayers("backend", "queue", "session")
          .whereLayer("call")
          .mayOnlyBeAccessedByLayers("backend", "queue", "session", "layout")
          .ensureAllClassesAreContainedInArchitecture();
}
