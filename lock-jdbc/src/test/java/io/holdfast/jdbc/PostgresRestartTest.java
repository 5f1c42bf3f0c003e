package io.holdfast.jdbc;

import io.holdfast.tck.adapter.ServerRestartRules;

class PostgresRestartTest extends OnPostgres implements ServerRestartRules, OtherLifeRules {}
