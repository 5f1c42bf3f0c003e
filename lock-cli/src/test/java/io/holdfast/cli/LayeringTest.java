package io.holdfast.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.holdfast.cli", importOptions = DoNotIncludeTests.class)
class LayeringTest {

  /** A user like any other: no engine, and no adapter, since what lies in lib/ decides on that. */
  @ArchTest
  static final ArchRule theCommandUsesTheApiAlone =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "io.holdfast",
              "io.holdfast.spi",
              "io.holdfast.cli..",
              "picocli",
              "org.jspecify..");

  @ArchTest
  static final ArchRule runningACommandKnowsNoCommandLine =
      noClasses()
          .that()
          .resideInAPackage("io.holdfast.cli.run..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.holdfast.cli", "picocli..");
}
