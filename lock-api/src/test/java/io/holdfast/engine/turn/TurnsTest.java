package io.holdfast.engine.turn;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** State that the lock of a client guards is reached in turns alone. */
class TurnsTest {

  /**
   * What the compiler cannot tell of fields, since their guard is a parameter of the methods that
   * reach them: those of classes with turn methods are reached by methods that have a turn.
   */
  @Test
  void guardedStateIsReachedByMethodsThatHaveATurn() {
    JavaClasses engine =
        new ClassFileImporter()
            .withImportOption(new DoNotIncludeTests())
            .importPackages("io.holdfast.engine");
    fields()
        .that(
            DescribedPredicate.describe(
                "are state that the lock guards", TurnsTest::isGuardedState))
        .should(BE_REACHED_IN_TURNS)
        .check(engine);
  }

  private static boolean isGuardedState(JavaField field) {
    Set<JavaModifier> modifiers = field.getModifiers();
    return !modifiers.contains(JavaModifier.FINAL)
        && !modifiers.contains(JavaModifier.VOLATILE)
        && !modifiers.contains(JavaModifier.STATIC)
        && field.getOwner().getMethods().stream().anyMatch(TurnsTest::hasTurn);
  }

  private static boolean hasTurn(JavaCodeUnit unit) {
    return unit.getRawParameterTypes().stream()
        .map(JavaClass::getName)
        .anyMatch(Turn.class.getName()::equals);
  }

  private static final ArchCondition<JavaField> BE_REACHED_IN_TURNS =
      new ArchCondition<>("be reached by methods that have a turn") {
        @Override
        public void check(JavaField field, ConditionEvents events) {
          for (JavaAccess<?> access : field.getAccessesToSelf()) {
            JavaCodeUnit from = access.getOrigin();
            boolean reached = from.isConstructor() || hasTurn(from) || locksATurn(from);
            events.add(new SimpleConditionEvent(field, reached, access.getDescription()));
          }
        }
      };

  /** A block that holds the lock itself. */
  private static boolean locksATurn(JavaCodeUnit unit) {
    return unit.getFieldAccesses().stream()
        .anyMatch(
            access -> access.getTarget().getFullName().equals(Turn.class.getName() + ".lock"));
  }
}
