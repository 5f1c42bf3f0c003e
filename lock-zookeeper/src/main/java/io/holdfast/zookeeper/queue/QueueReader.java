package io.holdfast.zookeeper.queue;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.record.LockRecord;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Edition;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.support.Batches;
import io.holdfast.zookeeper.call.Answer;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.Node;
import io.holdfast.zookeeper.call.Pipeline;
import io.holdfast.zookeeper.connection.SessionOverException;
import io.holdfast.zookeeper.layout.Namespace;
import io.holdfast.zookeeper.layout.Namespaces;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.RequestCreation;
import io.holdfast.zookeeper.layout.RequestNode;
import io.holdfast.zookeeper.session.Session;
import io.holdfast.zookeeper.session.StoreClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.data.Stat;

/** Reads queues and the requests in them, and keeps the times of stays by one leader's clock. */
public final class QueueReader {

  /** How many requests are read in one answer, each of six kilobytes at most. */
  private static final int ENTRIES_PER_READ = 100;

  /**
   * How many holders are read at once for one request. A look does that for eight requests in one
   * answer, which may have a megabyte.
   */
  static final int HOLDERS_PER_READ = 12;

  private static final byte[] NOTHING = {};

  private final Paths paths;
  private final Namespaces namespaces;

  public QueueReader(Paths paths, Namespaces namespaces) {
    this.paths = paths;
    this.namespaces = namespaces;
  }

  /**
   * A queue as it was read.
   *
   * @param namespace empty if there is none
   * @param first empty if the queue is empty
   * @param zxid of the last request that has come or left; 0 if the queue has no node
   */
  record View(
      Optional<Namespace> namespace,
      QueueOrder order,
      Optional<Entry> first,
      StoreClock clock,
      long zxid) {

    /** Returns the place of this state, with those that hold, in the order of the lock's states. */
    Optional<Edition> edition(List<Entry> holders) {
      long last =
          holders.stream().mapToLong(holder -> holder.stat().getMzxid()).reduce(zxid, Math::max);
      return namespace
          .filter(present -> last > 0)
          .map(present -> new Edition(present.number(last), 0));
    }
  }

  /** Reads a queue, and its first request. */
  View read(Call call, LockName name) {
    String path = paths.queue(name);
    while (true) {
      Pipeline pipeline = call.pipeline();
      pipeline.sync(path);
      Answer<Stat> size = pipeline.stat(path);
      Answer<Node> node = pipeline.node(paths.namespace());
      pipeline.awaitAnswers();
      Optional<Namespace> namespace = namespaces.of(node.value());
      long zxid = size.value().map(Stat::getPzxid).orElse(0L);
      QueueOrder order = QueueOrder.of(names(call, path, QueueListing.nodes(size)));
      if (order.size() == 0 || namespace.isEmpty()) {
        return new View(namespace, QueueOrder.EMPTY, Optional.empty(), new StoreClock(), zxid);
      }
      Optional<Entry> first = entry(call, order.first());
      if (first.isPresent()) {
        return new View(namespace, order.withFirst(first.get()), first, new StoreClock(), zxid);
      }
    }
  }

  /** Reads a queue in its order. */
  QueueOrder order(Call call, LockName name) {
    String path = paths.queue(name);
    Pipeline pipeline = call.pipeline();
    Answer<Stat> size = pipeline.stat(path);
    pipeline.awaitAnswers();
    return QueueOrder.of(names(call, path, QueueListing.nodes(size)));
  }

  private static List<RequestNode> names(Call call, String path, int nodes) {
    return QueueListing.read(call, path, nodes)
        .orElseThrow(() -> QueueListing.tooMany(call, path))
        .inOrder();
  }

  /** Reads one request; empty if it has left. */
  Optional<Entry> entry(Call call, RequestNode place) {
    return Entry.of(place, call.read(Entry.reads(paths, place)));
  }

  /** Reads requests, and leaves out those that have left. */
  List<Entry> entries(Call call, List<RequestNode> places) {
    List<List<RequestNode>> batches = Batches.of(places, ENTRIES_PER_READ);
    Pipeline pipeline = call.pipeline();
    List<Answer<List<OpResult>>> answers =
        batches.stream().map(batch -> pipeline.readAll(reads(batch))).toList();
    pipeline.awaitAnswers();
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < batches.size(); i++) {
      entries.addAll(entries(batches.get(i), answers.get(i).value().orElseThrow()));
    }
    return entries;
  }

  /** Returns what has to be read of requests. */
  List<Op> reads(List<RequestNode> places) {
    return places.stream().flatMap(place -> Entry.reads(paths, place).stream()).toList();
  }

  /** Decodes what those reads have found. */
  static List<Entry> entries(List<RequestNode> places, List<OpResult> found) {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < places.size(); i++) {
      int from = i * Entry.READS;
      Entry.of(places.get(i), found.subList(from, from + Entry.READS)).ifPresent(entries::add);
    }
    return entries;
  }

  /** Returns the holders that an answer tells of, which is none too long for that. */
  static List<RequestNode> some(List<RequestNode> holders) {
    return holders.subList(0, Math.min(HOLDERS_PER_READ, holders.size()));
  }

  /** Finds the holder that was observed; empty if it does not hold any more. */
  Optional<Entry> holder(Call call, View seen, Observed observed) {
    int index = seen.order().indexOf(observed.request());
    return held(call, seen, index)
        .filter(holder -> holder.isAs(observed, seen.namespace().orElseThrow()));
  }

  /** Returns the check that succeeds as long as that number holds the lock in that mode. */
  public Optional<Op> isHeld(Call call, LockName name, LockMode mode, long number) {
    View seen = read(call, name);
    return entries(call, seen.order().holders()).stream()
        .filter(holder -> !holder.isTombstone() && holder.session().isPresent())
        .filter(holder -> holder.number(seen.namespace().orElseThrow()) == number)
        .filter(holder -> mode == LockMode.SHARED || !holder.shares())
        .map(holder -> holder.check(mode))
        .findFirst();
  }

  /** Finds a request that holds the lock; empty if it does not. */
  Optional<Entry> held(Call call, View seen, int index) {
    if (index < 0 || !seen.order().holds(index)) {
      return Optional.empty();
    }
    return index == 0 ? seen.first() : entry(call, seen.order().queue().get(index));
  }

  /** Returns how a request stands, without changing that. */
  Attempt stands(Session session, Call call, Request request) {
    Attempt stands = standing(session, call, request);
    if (stands instanceof Attempt.Refused) {
      session.isAbsent(request.id());
    }
    return stands;
  }

  private Attempt standing(Session session, Call call, Request request) {
    while (true) {
      View seen = read(call, request.name());
      if (seen.namespace().isEmpty()) {
        throw new SessionOverException();
      }
      Namespace namespace = seen.namespace().get();
      if (seen.first().isEmpty()) {
        return new Attempt.Refused(LockRecord.unknown(request.name()), Optional.empty());
      }
      QueueOrder order = seen.order();
      int index = order.indexOf(request.id());
      if (index < 0) {
        return refused(call, request.name(), namespace, holders(call, seen), seen.clock());
      }
      if (!order.holds(index)) {
        session
            .place(request.id())
            .filter(known -> known.creation().place().equals(order.queue().get(index)))
            .ifPresent(known -> session.remember(order.position(index, known.creation())));
        return new Attempt.Queued();
      }
      Optional<Entry> own = held(call, seen, index);
      if (own.filter(Entry::isTombstone).isPresent()) {
        // A late copy: its client has given the lock back.
        return refused(call, request.name(), namespace, holders(call, seen), seen.clock());
      }
      if (own.isPresent()) {
        RequestCreation mine = own.get().creation();
        session.remember(order.position(index, mine));
        return new Attempt.Granted(namespace.number(mine.zxid()), mine.since(), order.contention());
      }
    }
  }

  /** Reads the holders, or some of them. */
  private List<Entry> holders(Call call, View seen) {
    List<Entry> holders = new ArrayList<>(seen.first().stream().toList());
    List<RequestNode> others = some(seen.order().holders());
    holders.addAll(entries(call, others.subList(1, others.size())));
    return holders;
  }

  /** Returns the refusal because of these holders. */
  Attempt.Refused refused(
      Call call, LockName name, Namespace namespace, List<Entry> holders, StoreClock clock) {
    keepTime(call, holders, clock);
    return new Attempt.Refused(
        new LockRecord(
            name,
            holders.stream().findFirst().map(first -> first.number(namespace)).orElse(0L),
            holders.stream().map(holder -> holder.holder(namespace, clock)).toList(),
            List.of()),
        holders.stream()
            .flatMap(holder -> holder.dueIn(clock).stream())
            .min(Comparator.naturalOrder()));
  }

  /**
   * Takes note of the time that the requests tell. While one stays, a write asks for the time: it
   * would else pass only with heartbeats. Stays that another leader's clock has begun, or that
   * begin in the future of the present leader, begin again.
   */
  void keepTime(Call call, List<Entry> entries, StoreClock clock) {
    entries.forEach(
        entry -> {
          clock.see(entry.stat());
          entry.session().ifPresent(session -> clock.see(session.stat()));
        });
    if (entries.stream().anyMatch(entry -> !entry.left(clock).orElse(Duration.ZERO).isZero())) {
      Pipeline pipeline = call.pipeline();
      Answer<Stat> now = pipeline.write(paths.sessions(), NOTHING, Pipeline.ANY_VERSION);
      pipeline.awaitAnswers();
      now.value().ifPresent(clock::see);
    }
    List<Entry> doubtful = entries.stream().filter(entry -> entry.isStayDoubtful(clock)).toList();
    if (!doubtful.isEmpty()) {
      Pipeline pipeline = call.pipeline();
      doubtful.forEach(
          entry ->
              pipeline.write(
                  entry.place().path(),
                  entry.data().stayingAnew().encode(),
                  entry.stat().getVersion()));
      pipeline.awaitAnswers();
    }
  }
}
