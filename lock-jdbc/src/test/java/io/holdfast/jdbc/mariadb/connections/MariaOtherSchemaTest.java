package io.holdfast.jdbc.mariadb.connections;

import io.holdfast.jdbc.fixtures.ServerSchema;
import io.holdfast.jdbc.mariadb.MariaSchema;
import io.holdfast.jdbc.mariadb.OnMaria;
import io.holdfast.jdbc.rules.OtherSchemaRules;

class MariaOtherSchemaTest extends OnMaria implements OtherSchemaRules {

  @Override
  public ServerSchema another() {
    return MariaSchema.make(server);
  }

  @Override
  public String leading(String schema) {
    return "USE " + schema;
  }
}
