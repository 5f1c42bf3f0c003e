package io.holdfast.etcd;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;

/** Sees what etcd answers before the client does. */
public abstract class AnswerInterceptor implements ClientInterceptor {

  /** Returns what the client is told instead of an answer, or the answer. */
  protected abstract <A> A told(A answer);

  @Override
  public final <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
      @Override
      public void start(Listener<A> listener, Metadata headers) {
        super.start(
            new SimpleForwardingClientCallListener<>(listener) {
              @Override
              public void onMessage(A answer) {
                super.onMessage(told(answer));
              }
            },
            headers);
      }
    };
  }
}
