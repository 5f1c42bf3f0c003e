package io.holdfast.zookeeper;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.holdfast.zookeeper", importOptions = DoNotIncludeTests.class)
class LayeringTest {

  /** Neither the engine nor another adapter. */
  @ArchTest
  static final ArchRule anAdapterUsesTheSpiAndItsDriver =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "io.holdfast",
              "io.holdfast.spi",
              "io.holdfast.zookeeper..",
              "org.apache.zookeeper..",
              "org.apache.curator..",
              "org.slf4j..",
              "org.jspecify..");
}
