package io.holdfast.mongo;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.holdfast.mongo", importOptions = DoNotIncludeTests.class)
class LayeringTest {

  /** A new package says here what it may use. */
  @ArchTest
  static final ArchRule packagesDependDownwards =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .ensureAllClassesAreContainedInArchitecture()
          .layer("backend")
          .definedBy("io.holdfast.mongo")
          .layer("hint")
          .definedBy("io.holdfast.mongo.hint")
          .layer("queue")
          .definedBy("io.holdfast.mongo.queue")
          .layer("session")
          .definedBy("io.holdfast.mongo.session")
          .layer("namespace")
          .definedBy("io.holdfast.mongo.namespace")
          .layer("clock")
          .definedBy("io.holdfast.mongo.clock")
          .layer("connection")
          .definedBy("io.holdfast.mongo.connection")
          .whereLayer("backend")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("hint")
          .mayOnlyAccessLayers("queue", "connection")
          .whereLayer("queue")
          .mayOnlyAccessLayers("session", "namespace", "clock", "connection")
          .whereLayer("session")
          .mayOnlyAccessLayers("namespace", "clock", "connection")
          .whereLayer("namespace")
          .mayOnlyAccessLayers("connection")
          .whereLayer("clock")
          .mayNotAccessAnyLayer()
          .whereLayer("connection")
          .mayNotAccessAnyLayer();

  @ArchTest
  static final ArchRule thereAreNoCyclesBetweenPackages =
      slices().matching("io.holdfast.(**)").should().beFreeOfCycles();

  /** Neither the engine nor another adapter. */
  @ArchTest
  static final ArchRule anAdapterUsesTheSpiAndItsDriver =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "javax.security.sasl",
              "io.holdfast",
              "io.holdfast.error",
              "io.holdfast.record",
              "io.holdfast.spi",
              "io.holdfast.spi.answer",
              "io.holdfast.spi.support",
              "io.holdfast.mongo..",
              "com.mongodb..",
              "org.bson..",
              "org.slf4j..",
              "org.jspecify..");
}
