package io.holdfast.jdbc;

class PostgresRestartTest extends OnPostgres implements ServerRestartRules {}
