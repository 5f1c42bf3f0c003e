package io.holdfast.redis;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import redis.clients.jedis.CommandArguments;

@AnalyzeClasses(packages = "io.holdfast.redis", importOptions = DoNotIncludeTests.class)
class LayeringTest {

  /** The backend runs scripts over connections. A new package says here what it may use. */
  @ArchTest
  static final ArchRule packagesDependDownwards =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .ensureAllClassesAreContainedInArchitecture()
          .layer("backend")
          .definedBy("io.holdfast.redis")
          .layer("connection")
          .definedBy("io.holdfast.redis.connection")
          .layer("script")
          .definedBy("io.holdfast.redis.script")
          .whereLayer("backend")
          .mayOnlyAccessLayers("connection", "script")
          .whereLayer("connection")
          .mayOnlyAccessLayers("script")
          .whereLayer("script")
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
              "io.holdfast.redis..",
              "redis.clients.jedis..",
              "org.slf4j..",
              "org.jspecify..");

  /**
   * An application may pin another version of jedis: Spring Boot 3.3 has 5.0, whose only {@code
   * add} takes an object.
   */
  @ArchTest
  static final ArchRule itRunsWithOlderVersionsOfItsDriver =
      noClasses()
          .should()
          .callMethod(CommandArguments.class, "add", String.class)
          .orShould()
          .callMethod(CommandArguments.class, "add", byte[].class);
}
