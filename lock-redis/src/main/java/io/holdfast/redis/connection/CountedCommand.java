package io.holdfast.redis.connection;

import java.util.concurrent.atomic.AtomicInteger;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.commands.ProtocolCommand;

/**
 * A command that counts how often a client of the application sends it, which that client does not
 * tell: jedis asks for its bytes whenever it sends it. A client that asks for them besides, to look
 * at them, does so each time.
 */
final class CountedCommand implements ProtocolCommand {

  private final Command command;
  private final AtomicInteger copies = new AtomicInteger();

  CountedCommand(Command command) {
    this.command = command;
  }

  @Override
  public byte[] getRaw() {
    copies.incrementAndGet();
    return command.getRaw();
  }

  int copies() {
    return copies.get();
  }
}
