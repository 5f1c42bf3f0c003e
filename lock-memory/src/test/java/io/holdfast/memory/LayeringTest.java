package io.holdfast.memory;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.holdfast.memory", importOptions = DoNotIncludeTests.class)
class LayeringTest {

  /** Not the engine, nor the kit. */
  @ArchTest
  static final ArchRule theStoreUsesTheSpi =
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
              "io.holdfast.memory..",
              "org.jspecify..");
}
