package io.holdfast.jdbc.mariadb;

import io.holdfast.jdbc.fixtures.HangingListenRules;

class MariaHangingListenTest extends OnMaria implements HangingListenRules {

  @Override
  public String thread() {
    return "holdfast-watch";
  }
}
