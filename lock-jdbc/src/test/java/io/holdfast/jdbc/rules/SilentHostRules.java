package io.holdfast.jdbc.rules;

import io.holdfast.jdbc.fixtures.ServerSchema;
import io.holdfast.tck.adapter.SilentAddressRules;
import io.holdfast.testing.server.DatabaseServer;

/** The rules of a silent address, on the tables that a test has on its server. */
public interface SilentHostRules extends SilentAddressRules {

  DatabaseServer server();

  ServerSchema schema();

  @Override
  default int serverPort() {
    return server().port();
  }

  @Override
  default String uri(String addresses) {
    return schema().uri(addresses);
  }
}
