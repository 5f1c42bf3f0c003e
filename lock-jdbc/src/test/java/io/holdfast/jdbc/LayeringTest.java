package io.holdfast.jdbc;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What may depend on what inside the adapter, and which libraries it uses where. */
@AnalyzeClasses(packages = "io.holdfast.jdbc", importOptions = DoNotIncludeTests.class)
class LayeringTest {

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().matching("io.holdfast.(**)").should().beFreeOfCycles();

  /** A database uses the common packages and no other database; only the wiring knows them all. */
  @ArchTest
  static final ArchRule databasesUseTheCommonPackagesAndNoOtherDatabase =
      layeredArchitecture()
          .consideringOnlyDependenciesInAnyPackage("io.holdfast.jdbc..")
          .layer("wiring")
          .definedBy("io.holdfast.jdbc")
          .layer("sqlite")
          .definedBy("io.holdfast.jdbc.sqlite..")
          .layer("postgres")
          .definedBy("io.holdfast.jdbc.postgres..")
          .layer("mariadb")
          .definedBy("io.holdfast.jdbc.mariadb..")
          .layer("h2")
          .definedBy("io.holdfast.jdbc.h2..")
          .layer("hints")
          .definedBy("io.holdfast.jdbc.hints..")
          .layer("file")
          .definedBy("io.holdfast.jdbc.file..")
          .layer("verbs")
          .definedBy("io.holdfast.jdbc.verbs..")
          .layer("database")
          .definedBy("io.holdfast.jdbc.database..")
          .layer("pools")
          .definedBy("io.holdfast.jdbc.pools..")
          .layer("connections")
          .definedBy("io.holdfast.jdbc.connections..")
          .whereLayer("wiring")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("sqlite")
          .mayOnlyBeAccessedByLayers("wiring")
          .whereLayer("postgres")
          .mayOnlyBeAccessedByLayers("wiring")
          .whereLayer("mariadb")
          .mayOnlyBeAccessedByLayers("wiring")
          .whereLayer("h2")
          .mayOnlyBeAccessedByLayers("wiring")
          .whereLayer("hints")
          .mayOnlyBeAccessedByLayers("wiring")
          .whereLayer("file")
          .mayOnlyBeAccessedByLayers("sqlite", "h2")
          .whereLayer("verbs")
          .mayOnlyBeAccessedByLayers("wiring", "hints")
          .whereLayer("database")
          .mayOnlyBeAccessedByLayers(
              "wiring", "hints", "verbs", "file", "sqlite", "postgres", "mariadb", "h2")
          .whereLayer("pools")
          .mayOnlyBeAccessedByLayers(
              "wiring", "hints", "database", "sqlite", "postgres", "mariadb", "h2");

  /** A new database belongs into the layers above. */
  @ArchTest
  static final ArchRule everyPackageIsALayer =
      classes()
          .should()
          .resideInAnyPackage(
              "io.holdfast.jdbc",
              "io.holdfast.jdbc.sqlite..",
              "io.holdfast.jdbc.postgres..",
              "io.holdfast.jdbc.mariadb..",
              "io.holdfast.jdbc.h2..",
              "io.holdfast.jdbc.hints..",
              "io.holdfast.jdbc.file..",
              "io.holdfast.jdbc.verbs..",
              "io.holdfast.jdbc.database..",
              "io.holdfast.jdbc.pools..",
              "io.holdfast.jdbc.connections..");

  /** How a database is reached is no business of what is done there. */
  @ArchTest
  static final ArchRule locksInPostgresDoNotKnowHowItIsReached =
      noClasses()
          .that()
          .resideInAPackage("io.holdfast.jdbc.postgres.locks..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.holdfast.jdbc.postgres", "io.holdfast.jdbc.pools..");

  /** Not the engine, nor another adapter. */
  @ArchTest
  static final ArchRule anAdapterUsesTheSpiAndItsDriver =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "javax.sql..",
              "io.holdfast",
              "io.holdfast.error",
              "io.holdfast.record",
              "io.holdfast.spi",
              "io.holdfast.spi.answer",
              "io.holdfast.spi.support",
              "io.holdfast.jdbc..",
              "org.sqlite..",
              "org.postgresql..",
              "org.h2..",
              "com.zaxxer.hikari..",
              "org.slf4j..",
              "org.jspecify..");

  @ArchTest
  static final ArchRule onlySqliteKnowsItsDriver =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.holdfast.jdbc.sqlite..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.sqlite..");

  @ArchTest
  static final ArchRule onlyPostgresKnowsItsDriver =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.holdfast.jdbc.postgres..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.postgresql..");

  @ArchTest
  static final ArchRule onlyH2KnowsItsDriver =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.holdfast.jdbc.h2..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.h2..");

  @ArchTest
  static final ArchRule onlyPoolsKnowHikari =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.holdfast.jdbc.pools..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.zaxxer.hikari..");
}
