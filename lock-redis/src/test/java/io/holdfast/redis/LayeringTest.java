package io.holdfast.redis;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.holdfast.redis", importOptions = DoNotIncludeTests.class)
class LayeringTest {

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
              "io.holdfast.spi",
              "io.holdfast.redis..",
              "redis.clients.jedis..",
              "org.slf4j..",
              "org.jspecify..");
}
