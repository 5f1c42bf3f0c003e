package io.holdfast.jdbc.postgres;

import io.holdfast.jdbc.fixtures.OtherIncarnationRules;
import io.holdfast.tck.adapter.ServerRestartRules;
import io.holdfast.tck.report.Adapter;

@Adapter("postgresql")
class PostgresRestartTest extends OnPostgres implements ServerRestartRules, OtherIncarnationRules {}
