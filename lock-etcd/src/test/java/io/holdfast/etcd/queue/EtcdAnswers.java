package io.holdfast.etcd.queue;

import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.util.List;

/** What the transactions of a client return. */
final class EtcdAnswers implements ClientInterceptor {

  /**
   * @param keys those returned with their values
   * @param bytes of the whole answers
   */
  record Size(int transactions, int keys, int bytes) {

    static final Size NONE = new Size(0, 0, 0);

    private Size plus(TxnResponse answer) {
      return new Size(
          transactions + 1,
          keys + keys(answer.getResponsesList()),
          bytes + answer.getSerializedSize());
    }

    private static int keys(List<ResponseOp> parts) {
      return parts.stream().mapToInt(part -> part.getResponseRange().getKvsCount()).sum();
    }
  }

  private Size size = Size.NONE;

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
      @Override
      public void start(Listener<A> listener, Metadata headers) {
        super.start(
            new SimpleForwardingClientCallListener<>(listener) {
              @Override
              public void onMessage(A message) {
                if (message instanceof TxnResponse answer) {
                  add(answer);
                }
                super.onMessage(message);
              }
            },
            headers);
      }
    };
  }

  private synchronized void add(TxnResponse answer) {
    size = size.plus(answer);
  }

  synchronized Size sinceLast() {
    Size since = size;
    size = Size.NONE;
    return since;
  }
}
