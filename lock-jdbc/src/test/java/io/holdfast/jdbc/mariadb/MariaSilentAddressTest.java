package io.holdfast.jdbc.mariadb;

import io.holdfast.jdbc.fixtures.SilentHostRules;
import io.holdfast.tck.report.Adapter;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Adapter("mariadb")
@Execution(ExecutionMode.CONCURRENT)
class MariaSilentAddressTest extends OnMaria implements SilentHostRules {}
