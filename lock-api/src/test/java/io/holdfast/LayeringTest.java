package io.holdfast;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.holdfast", importOptions = DoNotIncludeTests.class)
class LayeringTest {

  @ArchTest
  static final ArchRule dependsOnNoDriver =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "io.holdfast..",
              "org.slf4j..",
              "org.jspecify..",
              // Read by the compiler; the jar is not needed at run time.
              "com.google.errorprone.annotations..");

  @ArchTest
  static final ArchRule theSpiKnowsNoEngine =
      noClasses()
          .that()
          .resideInAPackage("io.holdfast.spi..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.holdfast.engine..");

  @ArchTest
  static final ArchRule onlyTheWayInKnowsTheEngine =
      noClasses()
          .that()
          .resideInAnyPackage("io.holdfast", "io.holdfast.record")
          .and()
          .doNotHaveSimpleName("ClientBuilder")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.holdfast.engine..");

  @ArchTest
  static final ArchRule theResourcesSideNeedsNoClient =
      noClasses()
          .that()
          .resideInAPackage("io.holdfast.fencing")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.holdfast.engine..", "io.holdfast.spi..");

  @ArchTest
  static final ArchRule viewsAreFacesOfTheApiAlone =
      noClasses()
          .that()
          .resideInAPackage("io.holdfast.view")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.holdfast.engine..", "io.holdfast.spi..");

  @ArchTest
  static final ArchRule electionsStandOnThePublicInterface =
      noClasses()
          .that()
          .resideInAPackage("io.holdfast.election")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.holdfast.engine..", "io.holdfast.spi..");

  @ArchTest
  static final ArchRule watchingIsSeenThroughThePublicInterface =
      noClasses()
          .that()
          .resideInAPackage("io.holdfast.watch")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.holdfast.engine..", "io.holdfast.spi..");

  @ArchTest
  static final ArchRule watchesHoldNothingAndWaitForNothing =
      noClasses()
          .that()
          .resideInAPackage("io.holdfast.engine.watch")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.holdfast.engine",
              "io.holdfast.engine.gate",
              "io.holdfast.engine.hold",
              "io.holdfast.engine.session",
              "io.holdfast.engine.connect",
              "io.holdfast.engine.view");

  @ArchTest
  static final ArchRule deadlocksAreFoundInRecordsAlone =
      noClasses()
          .that()
          .resideInAPackage("io.holdfast.deadlock")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.holdfast.engine..", "io.holdfast.spi..");

  @ArchTest
  static final ArchRule onlyTheSeamKnowsClocksAndThreads =
      noClasses()
          .that()
          .resideInAPackage("io.holdfast.engine..")
          .and()
          .haveSimpleNameNotStartingWith("ThreadedSeam")
          .should()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(Thread.class, "sleep", long.class)
          .orShould()
          .callMethod(Thread.class, "start");

  @ArchTest
  static final ArchRule theSeamKnowsNothingOfTheRestOfTheEngine =
      noClasses()
          .that()
          .resideInAPackage("io.holdfast.engine.seam")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.holdfast.engine",
              "io.holdfast.engine.gate",
              "io.holdfast.engine.hold",
              "io.holdfast.engine.session",
              "io.holdfast.engine.turn",
              "io.holdfast.engine.connect",
              "io.holdfast.engine.view",
              "io.holdfast.engine.watch");

  @ArchTest
  static final ArchRule turnsKnowNothingOfLocksAndSessions =
      noClasses()
          .that()
          .resideInAPackage("io.holdfast.engine.turn")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.holdfast.engine",
              "io.holdfast.engine.gate",
              "io.holdfast.engine.hold",
              "io.holdfast.engine.session",
              "io.holdfast.engine.connect",
              "io.holdfast.engine.view",
              "io.holdfast.engine.watch");

  @ArchTest
  static final ArchRule sessionsKnowNoGates =
      noClasses()
          .that()
          .resideInAPackage("io.holdfast.engine.session")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.holdfast.engine",
              "io.holdfast.engine.gate",
              "io.holdfast.engine.hold",
              "io.holdfast.engine.connect",
              "io.holdfast.engine.view");

  @ArchTest
  static final ArchRule holdsKnowNoGates =
      noClasses()
          .that()
          .resideInAPackage("io.holdfast.engine.hold")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.holdfast.engine",
              "io.holdfast.engine.gate",
              "io.holdfast.engine.connect",
              "io.holdfast.engine.view");

  @ArchTest
  static final ArchRule gatesKnowNoClient =
      noClasses()
          .that()
          .resideInAPackage("io.holdfast.engine.gate")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.holdfast.engine", "io.holdfast.engine.connect", "io.holdfast.engine.view");

  @ArchTest
  static final ArchRule connectingKnowsNoEngine =
      noClasses()
          .that()
          .resideInAPackage("io.holdfast.engine.connect")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.holdfast.engine",
              "io.holdfast.engine.gate",
              "io.holdfast.engine.hold",
              "io.holdfast.engine.session",
              "io.holdfast.engine.turn",
              "io.holdfast.engine.seam",
              "io.holdfast.engine.view");

  @ArchTest
  static final ArchRule viewsOfLocksKnowNoClientAndNoGates =
      noClasses()
          .that()
          .resideInAPackage("io.holdfast.engine.view")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.holdfast.engine",
              "io.holdfast.engine.gate",
              "io.holdfast.engine.connect",
              "io.holdfast.spi..");

  @ArchTest
  static final ArchRule theSpiNeedsNoneOfItsSupport =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.holdfast",
              "io.holdfast.error",
              "io.holdfast.record",
              "io.holdfast.spi",
              "io.holdfast.spi.answer",
              "io.holdfast.engine..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.holdfast.spi.support");

  @ArchTest
  static final ArchRule exceptionsNeedNothing =
      classes()
          .that()
          .resideInAPackage("io.holdfast.error")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", "org.jspecify..", "io.holdfast.error");

  @ArchTest
  static final ArchRule recordsKnowNoClientAndNoStore =
      noClasses()
          .that()
          .resideInAPackage("io.holdfast.record")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.holdfast.spi..", "io.holdfast.engine..")
          .orShould()
          .dependOnClassesThat()
          .haveSimpleName("LockClient");
}
