package io.holdfast.zookeeper.queue;

import io.holdfast.SessionId;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Standing;
import io.holdfast.spi.support.Batches;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;

/**
 * The verb {@code look}: how the requests of a session stand. It checks the remembered positions
 * first, all in one request. Only where one is not right any more it lists the queue again.
 */
public final class Standings {

  /** How many queues are read at once. */
  static final int QUEUES_PER_READ = 8;

  private final Paths paths;
  private final Namespaces namespaces;
  private final QueueReader reader;
  private final PredecessorWatches watches;
  private final StayList stays;

  public Standings(
      Paths paths,
      Namespaces namespaces,
      QueueReader reader,
      PredecessorWatches watches,
      StayList stays) {
    this.paths = paths;
    this.namespaces = namespaces;
    this.reader = reader;
    this.watches = watches;
    this.stays = stays;
  }

  public List<Standing> look(
      Call call, SessionId session, Optional<Session> known, List<RequestKey> requests) {
    List<Standing> standings = new ArrayList<>();
    for (List<RequestKey> batch : Batches.of(requests, QUEUES_PER_READ)) {
      standings.addAll(new Look(call, session, known).at(batch));
    }
    return standings;
  }

  /** A request that is asked about, and what is known of its place by now. */
  private record Question(int index, RequestKey key, PlaceKnown known) {}

  /** One look at some requests. */
  private final class Look {

    private final Call call;
    private final SessionId session;
    private final Optional<Session> known;
    private final StoreClock clock = new StoreClock();
    private final Map<Integer, Standing> answers = new HashMap<>();
    private Optional<Namespace> namespace = Optional.empty();

    Look(Call call, SessionId session, Optional<Session> known) {
      this.call = call;
      this.session = session;
      this.known = known;
    }

    List<Standing> at(List<RequestKey> batch) {
      List<Question> open = new ArrayList<>();
      for (int i = 0; i < batch.size(); i++) {
        RequestKey key = batch.get(i);
        open.add(
            new Question(
                i, key, PlaceKnown.of(known.flatMap(own -> own.onlyPlace(key.request())))));
      }
      Pipeline pipeline = call.pipeline();
      pipeline.sync(paths.locks());
      open = glance(pipeline, open);
      // Each further time a request has left in between, or was downgraded.
      for (open = listed(open); !open.isEmpty(); open = listed(open)) {
        open = glance(call.pipeline(), open);
      }
      return answers.entrySet().stream()
          .sorted(Map.Entry.comparingByKey())
          .map(Map.Entry::getValue)
          .toList();
    }

    /** Returns the questions that are not answered, since the place is not known. */
    private List<Question> glance(Pipeline pipeline, List<Question> questions) {
      List<Glance> glances =
          questions.stream()
              .map(question -> new Glance(paths, question.key(), question.known().position()))
              .toList();
      List<Op> reads = new ArrayList<>();
      reads.add(Op.getData(paths.namespace()));
      reads.add(Op.getData(paths.session(session)));
      glances.forEach(glance -> reads.addAll(glance.reads()));
      Answer<List<OpResult>> answer = pipeline.readAll(reads);
      pipeline.awaitAnswers();
      List<OpResult> found = answer.value().orElseThrow();
      Optional<Node> own = Node.of(found.get(1));
      own.ifPresent(node -> clock.see(node.stat()));
      // Without its session no request counts, wherever it stands.
      namespace = own.isPresent() ? namespaces.of(Node.of(found.get(0))) : Optional.empty();
      List<OpResult> rest = found.subList(2, found.size());
      List<Question> open = new ArrayList<>();
      for (int i = 0; i < questions.size(); i++) {
        rest = glances.get(i).found(rest);
        Question question = questions.get(i);
        PlaceKnown place = stands(question, glances.get(i));
        place
            .answer()
            .ifPresentOrElse(
                standing -> answers.put(question.index(), standing),
                () -> open.add(new Question(question.index(), question.key(), place)));
      }
      return open;
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
                              reader, call, question.key(), namespace.get(), clock, glance)
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

    /** What stays taken after it was given back belongs to nobody. */
    private static boolean isOwners(Node node) {
      return !RequestData.parse(node.data()).isTombstone();
    }

    private PlaceKnown absent(RequestKey key) {
      watches.forget(key.request());
      return PlaceKnown.answered(new Standing.Absent());
    }

    private void remember(RememberedPosition position) {
      known.ifPresent(own -> own.remember(position));
    }

    private void watch(RequestKey key, PlaceKnown found) {
      if (found.position().orElseThrow() instanceof RememberedPosition.Waiting waiting) {
        known.ifPresent(own -> watches.waitsBehind(own, key, waiting.nearest()));
      } else {
        watches.forget(key.request());
      }
    }

    /**
     * No request joins a queue that is too long to be read. A request that is in it keeps waiting.
     */
    private Standing unreadable(RequestKey key, int nodes) {
      String queue = paths.queue(key.name());
      if (known.isEmpty()) {
        throw QueueListing.tooMany(call, queue);
      }
      boolean mayStand =
          !QueueListing.ofSession(call, queue, key.request()).isEmpty()
              || stays.has(call, key.request(), StayList.Kind.DELAY);
      return mayStand
          ? new Standing.Waiting(nodes - 1, List.of(), Optional.empty())
          : new Standing.Absent();
    }

    /** Lists the queues, and returns the questions with the places that their names tell. */
    private List<Question> listed(List<Question> questions) {
      if (questions.isEmpty()) {
        return questions;
      }
      Pipeline pipeline = call.pipeline();
      // Each in an answer of its own, since an answer has an end.
      List<Answer<List<String>>> names =
          questions.stream()
              .map(question -> pipeline.children(paths.queue(question.key().name())))
              .toList();
      pipeline.awaitAnswers();
      List<Question> placed = new ArrayList<>();
      for (int i = 0; i < questions.size(); i++) {
        Question question = questions.get(i);
        String path = paths.queue(question.key().name());
        QueueListing places =
            QueueListing.of(call, path, names.get(i).value().orElse(List.of()))
                .orElseThrow(() -> QueueListing.tooMany(call, path));
        PlaceKnown place = placed(question, places);
        place
            .answer()
            .ifPresentOrElse(
                standing -> answers.put(question.index(), standing),
                () -> placed.add(new Question(question.index(), question.key(), place)));
      }
      return placed;
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
        watches.forget(key.request());
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
}
