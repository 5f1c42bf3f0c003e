package io.holdfast.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.ClientBuilder;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.netty.GrpcSslContexts;
import io.holdfast.BadRequestException;
import io.holdfast.spi.StoreUri;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.File;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;

/** Makes clients of our own: without retries, and without calls that outlive whoever made them. */
final class EtcdClients {

  /** Longer than any call's deadline: what was given up does not reach a server minutes later. */
  private static final Duration CALL_MAX = Duration.ofSeconds(10);

  /**
   * A server that is gone without a word is noticed after both; etcd refuses more than one in 5 s.
   */
  private static final Duration PING_EVERY = Duration.ofSeconds(10);

  private static final Duration PING_ANSWERED_WITHIN = Duration.ofSeconds(5);
  private static final Duration CONNECTED_WITHIN = Duration.ofSeconds(3);
  private static final String KEEP_ALIVE = "LeaseKeepAlive";

  private EtcdClients() {}

  static Client make(StoreUri uri) {
    ClientBuilder builder =
        Client.builder()
            .retryMaxAttempts(0)
            .waitForReady(false)
            .connectTimeout(CONNECTED_WITHIN)
            .keepaliveTime(PING_EVERY)
            .keepaliveTimeout(PING_ANSWERED_WITHIN)
            .keepaliveWithoutCalls(false)
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
    return builder
        .endpoints(uri.hosts().stream().map(host -> URI.create("http://" + host)).toList())
        .build();
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
          "The files of certificates that the URI names cannot be used: " + e.getMessage(), e);
    }
  }

  private static ByteSequence bytes(String text) {
    return ByteSequence.from(text, StandardCharsets.UTF_8);
  }

  /** Gives every call an end, but the streams of watches none. */
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
