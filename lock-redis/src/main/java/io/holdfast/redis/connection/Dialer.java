package io.holdfast.redis.connection;

import io.holdfast.redis.connection.AddressOrder.Place;
import java.net.InetAddress;
import java.util.Optional;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;

/**
 * Makes connections to hosts, with TLS and login, by way of the address of a host that seems best.
 * The user of a connection says whether it led to something usable.
 */
final class Dialer {

  private final RedisUri uri;
  private final @Nullable SSLSocketFactory encryption;
  private final AddressOrder addresses;

  /** A connection, and where it leads. */
  record Reached(Connection connection, Place place) {}

  Dialer(RedisUri uri, HostNames names) {
    this.uri = uri;
    this.encryption = uri.tls().map(Tls::sockets).orElse(null);
    this.addresses = new AddressOrder(names);
  }

  Reached server(HostAndPort host, TimeLimit limit) {
    DefaultJedisClientConfig.Builder config = within(limit).database(uri.database());
    uri.password().ifPresent(config::password);
    uri.user()
        .ifPresent(
            user -> {
              config.user(user);
              // Without any, jedis would not log in, and the client would be the default user.
              config.password(uri.password().orElse(""));
            });
    return connection(host, config.build(), limit);
  }

  Reached sentinel(HostAndPort host, TimeLimit limit) {
    return connection(host, within(limit).build(), limit);
  }

  void putFirst(Place usable) {
    addresses.putFirst(usable);
  }

  void putLast(Place useless) {
    addresses.putLast(useless);
  }

  private Reached connection(HostAndPort host, JedisClientConfig config, TimeLimit limit) {
    LimitedSocketFactory sockets = new LimitedSocketFactory(host, config, addresses, limit);
    try {
      Connection connection = new Connection(sockets, config);
      return new Reached(connection, place(host, sockets).orElseThrow());
    } catch (RuntimeException | Error e) {
      // It took a connection, and then there was no TLS, no login, or no answer.
      place(host, sockets).ifPresent(this::putLast);
      throw e;
    }
  }

  private static Optional<Place> place(HostAndPort host, LimitedSocketFactory sockets) {
    Optional<InetAddress> reached = sockets.reached();
    return reached.map(address -> new Place(host.getHost(), address));
  }

  private DefaultJedisClientConfig.Builder within(TimeLimit limit) {
    int millis = Math.max(1, limit.deadline().remainingMillis());
    DefaultJedisClientConfig.Builder config =
        DefaultJedisClientConfig.builder()
            .connectionTimeoutMillis(millis)
            .socketTimeoutMillis(millis)
            // jedis does not look at the answers to names, and one may say that the server refuses
            // the connection: see ServerConnection.introduce.
            .clientSetInfoConfig(ClientSetInfoConfig.DISABLED);
    if (encryption != null) {
      SSLParameters parameters = new SSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      config.ssl(true).sslSocketFactory(encryption).sslParameters(parameters);
    }
    return config;
  }
}
