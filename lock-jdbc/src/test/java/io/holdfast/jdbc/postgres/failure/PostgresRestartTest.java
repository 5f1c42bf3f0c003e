package io.holdfast.jdbc.postgres.failure;

import io.holdfast.jdbc.postgres.OnPostgres;
import io.holdfast.jdbc.rules.OtherIncarnationRules;
import io.holdfast.tck.adapter.ServerRestartRules;
import io.holdfast.tck.report.Adapter;

@Adapter("postgresql")
class PostgresRestartTest extends OnPostgres implements ServerRestartRules, OtherIncarnationRules {}
