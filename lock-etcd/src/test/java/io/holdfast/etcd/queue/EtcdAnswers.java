package io.holdfast.etcd.queue;

import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnResponse;
import io.holdfast.etcd.AnswerInterceptor;
import java.util.List;

/** What the transactions of a client return. */
final class EtcdAnswers extends AnswerInterceptor {

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
  protected <A> A told(A answer) {
    if (answer instanceof TxnResponse transaction) {
      add(transaction);
    }
    return answer;
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
