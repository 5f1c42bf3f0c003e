package io.holdfast.jdbc.mariadb.failure;

import io.holdfast.jdbc.mariadb.OnMaria;
import io.holdfast.jdbc.rules.SilentHostRules;
import io.holdfast.tck.report.Adapter;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Adapter("mariadb")
@Execution(ExecutionMode.CONCURRENT)
class MariaSilentAddressTest extends OnMaria implements SilentHostRules {}
