package io.holdfast.etcd;

import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.MethodDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/** What the transactions of a client are made of: its compares, then its operations. */
final class EtcdOperations implements ClientInterceptor {

  private final Queue<String> transactions = new ConcurrentLinkedQueue<>();

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
      @Override
      public void sendMessage(Q message) {
        if (message instanceof TxnRequest transaction) {
          transactions.add(describe(transaction));
        }
        super.sendMessage(message);
      }
    };
  }

  private static String describe(TxnRequest transaction) {
    String described =
        "%d compares: %s"
            .formatted(transaction.getCompareCount(), describe(transaction.getSuccessList()));
    return transaction.getFailureCount() == 0
        ? described
        : described + " else: " + describe(transaction.getFailureList());
  }

  private static String describe(List<RequestOp> operations) {
    return operations.stream().map(EtcdOperations::describe).collect(Collectors.joining(", "));
  }

  private static String describe(RequestOp operation) {
    return switch (operation.getRequestCase()) {
      case REQUEST_PUT -> "put";
      case REQUEST_DELETE_RANGE ->
          operation.getRequestDeleteRange().getRangeEnd().isEmpty() ? "delete" : "delete range";
      case REQUEST_RANGE -> describe(operation.getRequestRange());
      case REQUEST_TXN, REQUEST_NOT_SET -> throw new IllegalArgumentException("" + operation);
    };
  }

  private static String describe(RangeRequest range) {
    if (range.getRangeEnd().isEmpty()) {
      return "key";
    }
    if (range.getCountOnly()) {
      return "count";
    }
    return range.getSortOrder() == RangeRequest.SortOrder.NONE ? "range" : "sorted";
  }

  /** Returns the transactions since the last call, in their order. */
  List<String> sinceLast() {
    List<String> since = new ArrayList<>();
    for (String next = transactions.poll(); next != null; next = transactions.poll()) {
      since.add(next);
    }
    return since;
  }
}
