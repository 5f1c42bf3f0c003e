package io.holdfast.redis;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import redis.clients.jedis.CommandArguments;

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

  /**
   * An application may pin another jedis than ours: Spring Boot 3.3 has 5.0, which knows no other
   * {@code add} than that of an object.
   */
  @ArchTest
  static final ArchRule itRunsWithOlderVersionsOfItsDriver =
      noClasses()
          .should()
          .callMethod(CommandArguments.class, "add", String.class)
          .orShould()
          .callMethod(CommandArguments.class, "add", byte[].class);
}
