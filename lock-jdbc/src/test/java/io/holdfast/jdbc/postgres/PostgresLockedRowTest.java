package io.holdfast.jdbc.postgres;

import io.holdfast.jdbc.fixtures.LockedRowRules;

class PostgresLockedRowTest extends OnPostgres implements LockedRowRules {}
