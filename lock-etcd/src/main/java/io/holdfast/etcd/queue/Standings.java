package io.holdfast.etcd.queue;

import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Op;
import io.holdfast.etcd.connection.EtcdCalls;
import io.holdfast.etcd.connection.Ops;
import io.holdfast.etcd.format.Keys;
import io.holdfast.etcd.format.StoredNamespace;
import io.holdfast.etcd.session.Namespaces;
import io.holdfast.record.RequestId;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Standing;
import io.holdfast.spi.support.Batches;
import io.holdfast.spi.support.LooksUnderWay;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * The verb {@code look}. A request whose place is remembered is looked at by single keys: its own,
 * its predecessor's, and the marks. Its queue is read only if these do not tell: if the predecessor
 * has left and was not the first, or if a request further ahead was revoked. All reads about one
 * request are one atomic transaction.
 */
public final class Standings {

  /** Each takes up to five reads, and by default a transaction may have 128 operations. */
  static final int REQUESTS_PER_TXN = 25;

  private final Keys keys;
  private final Namespaces namespaces;
  private final Places places;
  private final Watches watches;

  public Standings(Keys keys, Namespaces namespaces, Places places, Watches watches) {
    this.keys = keys;
    this.namespaces = namespaces;
    this.places = places;
    this.watches = watches;
  }

  public List<Standing> look(EtcdCalls calls, List<RequestKey> requests) {
    List<Standing> standings = new ArrayList<>();
    for (List<RequestKey> batch : Batches.of(requests, REQUESTS_PER_TXN)) {
      try (LooksUnderWay.Look underWay = places.beginLook()) {
        standings.addAll(new Look(calls, underWay).at(batch));
      }
    }
    return standings;
  }

  /** A question, and the reads that answer it. */
  private record Asked(Question question, List<Op> reads) {}

  /** One look at some requests. */
  private final class Look {

    private final EtcdCalls calls;
    private final LooksUnderWay.Look underWay;

    Look(EtcdCalls calls, LooksUnderWay.Look underWay) {
      this.calls = calls;
      this.underWay = underWay;
    }

    List<Standing> at(List<RequestKey> batch) {
      List<Optional<Standing>> seen = ask(batch.stream().map(this::question).toList());
      List<Question> searches = new ArrayList<>();
      for (int i = 0; i < batch.size(); i++) {
        if (seen.get(i).isEmpty()) {
          searches.add(search(batch.get(i)));
        }
      }
      Iterator<Optional<Standing>> found =
          searches.isEmpty() ? List.<Optional<Standing>>of().iterator() : ask(searches).iterator();
      return seen.stream()
          .map(standing -> standing.orElseGet(() -> found.next().orElseThrow()))
          .toList();
    }

    private Question question(RequestKey key) {
      return places
          .of(key.request())
          .<Question>map(place -> new PlaceCheck(keys, key, place))
          .orElseGet(() -> search(key));
    }

    private Question search(RequestKey key) {
      return new QueueSearch(keys, key);
    }

    private List<Optional<Standing>> ask(List<Question> questions) {
      List<Optional<Standing>> standings = new ArrayList<>();
      calls.readParts(
          questions.stream().map(question -> new Asked(question, question.reads())).toList(),
          this::reads,
          (part, answer) -> standings.addAll(standings(part, answer)));
      return standings;
    }

    private List<Op> reads(List<Asked> questions) {
      List<Op> reads = new ArrayList<>();
      questions.forEach(asked -> reads.addAll(asked.reads()));
      reads.add(Ops.get(keys.namespace()));
      return reads;
    }

    private List<Optional<Standing>> standings(List<Asked> questions, TxnResponse all) {
      int last = all.getGetResponses().size() - 1;
      Optional<StoredNamespace> namespace = namespaces.readFrom(all, last);
      List<Optional<Standing>> standings = new ArrayList<>();
      int from = 0;
      for (Asked asked : questions) {
        Question question = asked.question();
        int first = from;
        standings.add(
            namespace
                .map(present -> question.found(new Question.Answer(calls, present, all, first)))
                .orElse(Optional.of(Found.ABSENT))
                .map(found -> seen(question.key(), found, all.getHeader().getRevision())));
        from += asked.reads().size();
      }
      return standings;
    }

    private Standing seen(RequestKey key, Found found, long revision) {
      RequestId request = key.request();
      found
          .place()
          .ifPresentOrElse(
              place ->
                  underWay.remember(
                      request, () -> remember(key, place, revision), () -> forget(request)),
              () -> forget(request));
      return found.standing();
    }
  }

  private void remember(RequestKey key, Place place, long revision) {
    places.remember(key.request(), place);
    if (place instanceof Place.Behind behind) {
      watches.waitsBehind(key, behind.predecessor(), revision);
    } else {
      watches.forget(key.request());
    }
  }

  private void forget(RequestId request) {
    places.forget(request);
    watches.forget(request);
  }
}
