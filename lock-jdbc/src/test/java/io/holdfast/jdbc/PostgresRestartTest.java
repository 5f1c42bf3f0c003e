package io.holdfast.jdbc;

import io.holdfast.tck.adapter.ServerRestartRules;
import io.holdfast.tck.report.Adapter;

@Adapter("postgresql")
class PostgresRestartTest extends OnPostgres implements ServerRestartRules, OtherLifeRules {}
