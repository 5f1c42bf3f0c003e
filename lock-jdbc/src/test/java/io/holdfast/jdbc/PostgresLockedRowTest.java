package io.holdfast.jdbc;

class PostgresLockedRowTest extends OnPostgres implements LockedRowRules {}
