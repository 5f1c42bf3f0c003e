package io.holdfast.jdbc;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.holdfast.jdbc", importOptions = DoNotIncludeTests.class)
class LayeringTest {

  /** Neither the engine nor another adapter; and a driver is known to its dialect alone. */
  @ArchTest
  static final ArchRule anAdapterUsesTheSpiAndItsDriver =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "javax.sql..",
              "io.holdfast",
              "io.holdfast.spi",
              "io.holdfast.jdbc..",
              "org.sqlite..",
              "org.postgresql..",
              "org.h2..",
              "com.zaxxer.hikari..",
              "org.slf4j..",
              "org.jspecify..");

  @ArchTest
  static final ArchRule onlyTheDialectOfADatabaseKnowsItsDriver =
      noClasses()
          .that()
          .haveNameNotMatching("io\\.holdfast\\.jdbc\\.Sqlite.*")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.sqlite..");

  @ArchTest
  static final ArchRule onlyPostgresKnowsItsDriver =
      noClasses()
          .that()
          .haveNameNotMatching("io\\.holdfast\\.jdbc\\.Postgres.*")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.postgresql..");

  @ArchTest
  static final ArchRule onlyH2KnowsItsDriver =
      noClasses()
          .that()
          .haveNameNotMatching("io\\.holdfast\\.jdbc\\.H2.*")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.h2..");

  @ArchTest
  static final ArchRule onlyPoolsKnowWhatKeepsThem =
      noClasses()
          .that()
          .haveNameNotMatching("io\\.holdfast\\.jdbc\\.Pool.*")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.zaxxer.hikari..");
}
