package io.holdfast.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.holdfast.cli", importOptions = DoNotIncludeTests.class)
class LayeringTest {

  /** No engine and no adapter: the jars in lib/ decide which adapters there are. */
  @ArchTest
  static final ArchRule theCommandUsesTheApiAlone =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "io.holdfast",
              "io.holdfast.error",
              "io.holdfast.record",
              "io.holdfast.deadlock",
              "io.holdfast.spi",
              "io.holdfast.spi.answer",
              "io.holdfast.watch",
              "io.holdfast.cli..",
              "picocli",
              "org.jspecify..");

  @ArchTest
  static final ArchRule runningACommandKnowsNoCommandLine =
      classes()
          .that()
          .resideInAPackage("io.holdfast.cli.run..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "io.holdfast",
              "io.holdfast.error",
              "io.holdfast.record",
              "io.holdfast.cli.run..",
              "org.jspecify..");

  @ArchTest
  static final ArchRule noSubcommandIsKnownToWhatItUses =
      noClasses()
          .that()
          .resideOutsideOfPackages("io.holdfast.cli", "io.holdfast.cli.commands")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.holdfast.cli", "io.holdfast.cli.commands");

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().matching("io.holdfast.cli.(*)..").should().beFreeOfCycles();
}
