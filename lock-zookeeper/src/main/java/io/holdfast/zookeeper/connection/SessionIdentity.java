package io.holdfast.zookeeper.connection;

/**
 * How the servers know a ZooKeeper session.
 *
 * @param session the number of the session
 * @param password not a secret: the servers compute it from the number of the session
 */
@SuppressWarnings("ArrayRecordComponent") // As the library has it.
public record SessionIdentity(long session, byte[] password) {}
