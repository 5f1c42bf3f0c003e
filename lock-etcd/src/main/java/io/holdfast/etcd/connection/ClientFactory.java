package io.holdfast.etcd.connection;

import static java.util.stream.Collectors.joining;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.ClientBuilder;
import io.etcd.jetcd.resolver.IPNameResolver;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.netty.GrpcSslContexts;
import io.holdfast.error.BadRequestException;
import io.holdfast.spi.support.StoreUri;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;

/** Creates our own clients: without retries, and with a limit on the time of each call. */
public final class ClientFactory {

  /** Longer than the deadline of any call, so that no abandoned call arrives minutes later. */
  private static final Duration CALL_MAX = Duration.ofSeconds(10);

  /**
   * A server that fails silently is noticed after both times. etcd refuses more than one ping in 5
   * s.
   */
  private static final Duration PING_EVERY = Duration.ofSeconds(10);

  private static final Duration PING_ANSWERED_WITHIN = Duration.ofSeconds(5);
  private static final Duration CONNECTED_WITHIN = Duration.ofSeconds(3);

  /** More than the longest queue with the largest payloads; grpc-java takes 4 MiB otherwise. */
  private static final int ANSWER_MAX = 256 * 1024 * 1024;

  private static final String KEEP_ALIVE = "LeaseKeepAlive";

  private ClientFactory() {}

  public static Client make(StoreUri uri) {
    ClientBuilder builder =
        Client.builder()
            .retryMaxAttempts(0)
            .waitForReady(false)
            .connectTimeout(CONNECTED_WITHIN)
            .keepaliveTime(PING_EVERY)
            .keepaliveTimeout(PING_ANSWERED_WITHIN)
            .keepaliveWithoutCalls(false)
            .maxInboundMessageSize(ANSWER_MAX)
            .interceptor(new Limit());
    uri.login()
        .ifPresent(login -> builder.user(bytes(login.user())).password(bytes(login.password())));
    if (uri.tls()) {
      builder.sslContext(tls(uri));
      String authority = uri.options().get("authority");
      if (authority != null) {
        builder.authority(authority);
      }
    }
    return builder.target(target(uri, uri.hosts())).build();
  }

  /** Returns each member by itself, as jetcd's resolver reads it. */
  static List<String> members(StoreUri uri) {
    return uri.hosts().stream().distinct().map(host -> target(uri, List.of(host))).toList();
  }

  /**
   * Returns members as jetcd's resolver reads them. jetcd itself would make it of URIs, in which
   * Java knows no host with an underscore, and would leave brackets in the path.
   */
  private static String target(StoreUri uri, List<String> hosts) {
    String path = hosts.stream().distinct().collect(joining(","));
    return "%s://%s/%s"
        .formatted(
            IPNameResolver.SCHEME,
            uri.options().getOrDefault("authority", ""),
            path.replace("[", "%5B").replace("]", "%5D"));
  }

  private static SslContext tls(StoreUri uri) {
    SslContextBuilder context = GrpcSslContexts.forClient();
    try {
      String ca = uri.options().get("ca");
      if (ca != null) {
        context.trustManager(new File(ca));
      }
      String certificate = uri.options().get("cert");
      if (certificate != null) {
        context.keyManager(new File(certificate), new File(uri.options().getOrDefault("key", "")));
      }
      return context.build();
    } catch (SSLException | IllegalArgumentException e) {
      throw new BadRequestException(
          "Cannot use the certificate files that the URI names: " + e.getMessage(), e);
    }
  }

  private static ByteSequence bytes(String text) {
    return ByteSequence.from(text, StandardCharsets.UTF_8);
  }

  /** Gives each call a deadline, except the streams of watches. */
  private static final class Limit implements ClientInterceptor {
    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(
        MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
      boolean isCall =
          method.getType() == MethodType.UNARY || KEEP_ALIVE.equals(method.getBareMethodName());
      return next.newCall(
          method,
          isCall ? options.withDeadlineAfter(CALL_MAX.toMillis(), TimeUnit.MILLISECONDS) : options);
    }
  }
}
