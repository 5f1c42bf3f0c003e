package io.holdfast.mongo.mongod;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;

/** Marks tests that need a real server. They are skipped with a message if there is none. */
@Tag("server")
@EnabledIf(
    value = "io.holdfast.testing.mongo.MongodServer#isThere",
    disabledReason = "No mongod in PATH, and HOLDFAST_MONGOD does not name one.")
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface RequiresMongod {}
