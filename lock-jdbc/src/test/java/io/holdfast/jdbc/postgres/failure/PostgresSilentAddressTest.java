package io.holdfast.jdbc.postgres.failure;

import io.holdfast.jdbc.postgres.OnPostgres;
import io.holdfast.jdbc.rules.SilentHostRules;
import io.holdfast.tck.report.Adapter;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Adapter("postgresql")
@Execution(ExecutionMode.CONCURRENT)
class PostgresSilentAddressTest extends OnPostgres implements SilentHostRules {}
