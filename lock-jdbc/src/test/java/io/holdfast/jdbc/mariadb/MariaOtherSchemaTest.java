package io.holdfast.jdbc.mariadb;

import io.holdfast.jdbc.fixtures.OtherSchemaRules;
import io.holdfast.jdbc.fixtures.ServerSchema;

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
