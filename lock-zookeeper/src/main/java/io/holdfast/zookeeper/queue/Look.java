package io.holdfast.zookeeper.queue;

import io.holdfast.SessionId;
import io.holdfast.record.RequestId;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Standing;
import io.holdfast.spi.support.LooksUnderWay;
import io.holdfast.zookeeper.call.Answer;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.Node;
import io.holdfast.zookeeper.call.Pipeline;
import io.holdfast.zookeeper.layout.Namespace;
import io.holdfast.zookeeper.layout.Namespaces;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.RequestCreation;
import io.holdfast.zookeeper.layout.RequestData;
import io.holdfast.zookeeper.layout.RequestNode;
import io.holdfast.zookeeper.session.RememberedPosition;
import io.holdfast.zookeeper.session.Session;
import io.holdfast.zookeeper.session.StayList;
import io.holdfast.zookeeper.session.StoreClock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;

/**
 * A look at some requests of a session. The caller that runs it sends the requests of {@link
 * #glances}. While questions are open it sends those of {@link #lists} and again the first. It
 * awaits the answers each time.
 */
final class Look {

  /** The means by which it reads, and remembers the places that it has found. */
  record Tools(
      Paths paths,
      Namespaces namespaces,
      QueueReader reader,
      PredecessorWatches watches,
      StayList stays,
      LooksUnderWay underWay) {}

  /** A request that is asked about, and the knowledge of its place by now. */
  private record Question(int index, RequestKey key, PlaceKnown known) {}

  private final Tools tools;
  private final LooksUnderWay.Look underWay;
  private final Call call;
  private final SessionId session;
  private final Optional<Session> known;
  private final StoreClock clock = new StoreClock();

  /** By the place of the question. */
  private final Map<Integer, Standing> answers = new TreeMap<>();

  /** The questions that are not answered, since the place is not known. */
  private List<Question> open = new ArrayList<>();

  private Optional<Namespace> namespace = Optional.empty();

  Look(
      Tools tools,
      LooksUnderWay.Look underWay,
      Call call,
      SessionId session,
      Optional<Session> known,
      List<RequestKey> batch) {
    this.tools = tools;
    this.underWay = underWay;
    this.call = call;
    this.session = session;
    this.known = known;
    for (int i = 0; i < batch.size(); i++) {
      RequestKey key = batch.get(i);
      open.add(
          new Question(i, key, PlaceKnown.of(known.flatMap(own -> own.onlyPlace(key.request())))));
    }
  }

  /** Answers a question, or leaves it open with the present knowledge of its place. */
  private void take(Question question, PlaceKnown place) {
    place
        .answer()
        .ifPresentOrElse(
            standing -> answers.put(question.index(), standing),
            () -> open.add(new Question(question.index(), question.key(), place)));
  }

  private List<Question> takeOpen() {
    List<Question> questions = open;
    open = new ArrayList<>();
    return questions;
  }

  boolean isOpen() {
    return !open.isEmpty();
  }

  /** Returns the answers, in the order of the requests. */
  Collection<Standing> answers() {
    return answers.values();
  }

  Glances glances(Pipeline pipeline) {
    return new Glances(pipeline, takeOpen());
  }

  Lists lists(Pipeline pipeline) {
    return new Lists(pipeline, takeOpen());
  }

  /** The questions about the known places of requests, all at once. */
  final class Glances {

    private final List<Question> questions;
    private final List<Glance> glances;
    private final Answer<List<OpResult>> answer;

    Glances(Pipeline pipeline, List<Question> questions) {
      this.questions = questions;
      this.glances =
          questions.stream()
              .map(
                  question ->
                      new Glance(tools.paths(), question.key(), question.known().position()))
              .toList();
      List<Op> reads = new ArrayList<>();
      reads.add(Op.getData(tools.paths().namespace()));
      reads.add(Op.getData(tools.paths().session(session)));
      glances.forEach(glance -> reads.addAll(glance.reads()));
      this.answer = pipeline.readAll(reads);
    }

    void answered() {
      List<OpResult> found = answer.value().orElseThrow();
      Optional<Node> own = Node.of(found.get(1));
      own.ifPresent(node -> clock.see(node.stat()));
      // Without its session no request counts, wherever it stands.
      namespace = own.isPresent() ? tools.namespaces().of(Node.of(found.get(0))) : Optional.empty();
      List<OpResult> rest = found.subList(2, found.size());
      for (int i = 0; i < questions.size(); i++) {
        rest = glances.get(i).found(rest);
        take(questions.get(i), stands(questions.get(i), glances.get(i)));
      }
    }
  }

  /**
   * The queues of requests are listed, each in an answer of its own, since an answer has an end.
   */
  final class Lists {

    private final List<Question> questions;
    private final List<Answer<List<String>>> names;

    Lists(Pipeline pipeline, List<Question> questions) {
      this.questions = questions;
      this.names =
          questions.stream()
              .map(question -> pipeline.children(tools.paths().queue(question.key().name())))
              .toList();
    }

    /** Each question gets the place that the names tell. */
    void answered() {
      for (int i = 0; i < questions.size(); i++) {
        Question question = questions.get(i);
        String path = tools.paths().queue(question.key().name());
        QueueListing places =
            QueueListing.of(call, path, names.get(i).value().orElse(List.of()))
                .orElseThrow(() -> QueueListing.tooMany(call, path));
        take(question, placed(question, places));
      }
    }
  }

  private PlaceKnown stands(Question question, Glance glance) {
    if (namespace.isEmpty() || glance.nodes() == 0) {
      return absent(question.key());
    }
    PlaceKnown known = question.known();
    if (known.position().isPresent() && glance.own().filter(Look::isOwners).isEmpty()) {
      return absent(question.key());
    }
    PlaceKnown found =
        known
            .position()
            .map(
                position ->
                    new PositionCheck(
                            tools.reader(), call, question.key(), namespace.get(), clock, glance)
                        .check(position, known.firstShares()))
            .orElse(known);
    found.position().ifPresent(this::remember);
    if (found.answer().isPresent()) {
      watch(question.key(), found);
      return found;
    }
    return glance.nodes() > QueueListing.READABLE_MAX
        ? PlaceKnown.answered(unreadable(question.key(), glance.nodes()))
        : found;
  }

  /** A request that stays after it was given back belongs to no session. */
  private static boolean isOwners(Node node) {
    return !RequestData.parse(node.data()).isTombstone();
  }

  private PlaceKnown absent(RequestKey key) {
    tools.underWay().left(key.request());
    tools.watches().forget(key.request());
    known.ifPresent(own -> own.isAbsent(key.request()));
    return PlaceKnown.answered(new Standing.Absent());
  }

  private void remember(RememberedPosition position) {
    RequestId request = position.request();
    known.ifPresent(
        own -> underWay.remember(request, () -> own.remember(position), () -> own.forget(request)));
  }

  private void watch(RequestKey key, PlaceKnown found) {
    if (found.position().orElseThrow() instanceof RememberedPosition.Waiting waiting) {
      known.ifPresent(
          own ->
              underWay.remember(
                  key.request(),
                  () -> tools.watches().waitsBehind(own, key, waiting.nearest()),
                  () -> tools.watches().forget(key.request())));
    } else {
      tools.watches().forget(key.request());
    }
  }

  /**
   * No request joins a queue that is too long to be read. A request that is in it keeps waiting.
   */
  private Standing unreadable(RequestKey key, int nodes) {
    String queue = tools.paths().queue(key.name());
    if (known.isEmpty()) {
      throw QueueListing.tooMany(call, queue);
    }
    boolean mayStand =
        !QueueListing.ofSession(call, queue, key.request()).isEmpty()
            || tools.stays().has(call, key.request(), StayList.Kind.DELAY);
    return mayStand
        ? new Standing.Waiting(nodes - 1, List.of(), Optional.empty())
        : new Standing.Absent();
  }

  private PlaceKnown placed(Question question, QueueListing places) {
    RequestKey key = question.key();
    boolean firstShares = question.known().firstShares();
    QueueOrder order = new QueueOrder(places.inOrder(), firstShares);
    int index = order.indexOf(key.request());
    if (index < 0) {
      removePastEnd(places.of(key.request()));
      return absent(key);
    }
    Optional<Placed> placed = node(question, order.queue().get(index));
    if (placed.map(Placed::node).filter(Look::isOwners).isEmpty()) {
      return absent(key);
    }
    RememberedPosition position = order.position(index, placed.get().creation());
    if (position instanceof RememberedPosition.Holding holding) {
      PlaceKnown found =
          PositionCheck.listed(namespace.orElseThrow(), order, holding, placed.get().node());
      found.position().ifPresent(this::remember);
      tools.watches().forget(key.request());
      return found;
    }
    return new PlaceKnown(Optional.of(position), Optional.empty(), firstShares, Optional.empty());
  }

  /** A request's node as it was read before, or is read now. */
  private record Placed(RequestCreation creation, Node node) {}

  private Optional<Placed> node(Question question, RequestNode place) {
    Optional<Placed> before =
        known
            .flatMap(own -> own.place(place.request()))
            .map(RememberedPosition::creation)
            .filter(creation -> creation.place().equals(place))
            .flatMap(creation -> question.known().own().map(node -> new Placed(creation, node)));
    return before.isPresent() ? before : read(place);
  }

  private Optional<Placed> read(RequestNode place) {
    Pipeline pipeline = call.pipeline();
    Answer<Node> node = pipeline.node(place.path());
    pipeline.awaitAnswers();
    return node.value().map(read -> new Placed(RequestCreation.of(place, read.stat()), read));
  }

  /** A join that was given up halfway may have left a node that stands in no queue. */
  private void removePastEnd(List<RequestNode> places) {
    Pipeline pipeline = call.pipeline();
    places.stream()
        .filter(RequestNode::isPastEnd)
        .forEach(place -> pipeline.delete(place.path(), Pipeline.ANY_VERSION));
    pipeline.awaitAnswers();
  }
}
