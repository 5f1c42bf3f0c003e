package io.holdfast.etcd;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.holdfast.etcd", importOptions = DoNotIncludeTests.class)
class LayeringTest {

  /** Each package uses those below it. A new package says here what it may use. */
  @ArchTest
  static final ArchRule packagesDependDownwards =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .ensureAllClassesAreContainedInArchitecture()
          .layer("backend")
          .definedBy("io.holdfast.etcd")
          .layer("queue")
          .definedBy("io.holdfast.etcd.queue")
          .layer("session")
          .definedBy("io.holdfast.etcd.session")
          .layer("connection")
          .definedBy("io.holdfast.etcd.connection")
          .layer("format")
          .definedBy("io.holdfast.etcd.format")
          .whereLayer("backend")
          .mayOnlyAccessLayers("queue", "session", "connection", "format")
          .whereLayer("queue")
          .mayOnlyAccessLayers("session", "connection", "format")
          .whereLayer("session")
          .mayOnlyAccessLayers("connection", "format")
          .whereLayer("connection")
          .mayOnlyAccessLayers("format")
          .whereLayer("format")
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
              "javax.net.ssl..",
              "io.holdfast",
              "io.holdfast.error",
              "io.holdfast.record",
              "io.holdfast.spi",
              "io.holdfast.spi.answer",
              "io.holdfast.spi.support",
              "io.holdfast.etcd..",
              "io.etcd.jetcd..",
              "io.grpc..",
              "io.netty.handler.ssl..",
              "org.slf4j..",
              "org.jspecify..");
}
