package io.holdfast.mongo;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;

/** Tests that need a real server: skipped where there is none, which is said. */
@Tag("server")
@EnabledIf(
    value = "io.holdfast.mongo.MongodServer#isThere",
    disabledReason = "No mongod in PATH, and HOLDFAST_MONGOD does not name one.")
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@interface OnMongod {}
