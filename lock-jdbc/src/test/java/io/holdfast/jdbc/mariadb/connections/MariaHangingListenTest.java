package io.holdfast.jdbc.mariadb.connections;

import io.holdfast.jdbc.mariadb.OnMaria;
import io.holdfast.jdbc.rules.HangingListenRules;

class MariaHangingListenTest extends OnMaria implements HangingListenRules {

  @Override
  public String thread() {
    return "holdfast-watch";
  }
}
