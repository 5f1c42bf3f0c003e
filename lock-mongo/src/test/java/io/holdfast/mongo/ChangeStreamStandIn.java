package io.holdfast.mongo;

import de.bwaldvogel.mongo.backend.DefaultQueryMatcher;
import de.bwaldvogel.mongo.bson.Document;
import io.holdfast.mongo.WireProxy.Fate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Lets the imitation pass for the primary of a replica set with change streams, which it has not:
 * answers for the streams, and tells them of each change of a lock that it sees on its way. In such
 * a form as servers write changes down according to the manual: not one of them was asked.
 */
final class ChangeStreamStandIn {

  private static final AtomicLong CURSORS = new AtomicLong(1_000);

  /** One that is open, and up to where it has told. */
  private record Stream(Document filter, BlockingQueue<BsonDocument> events, AtomicInteger told) {

    boolean tell(BsonDocument event) {
      return new DefaultQueryMatcher().matches((Document) translated(event), filter)
          && events.add(event);
    }
  }

  /** All changes so far. A place in the streams is the number of those before it. */
  private final List<BsonDocument> changes = new ArrayList<>();

  private final Map<Long, Stream> streams = new ConcurrentHashMap<>();
  private final AtomicLong opened = new AtomicLong();
  private final AtomicInteger told = new AtomicInteger();
  private volatile boolean tellsTheQueue = true;
  private volatile boolean silent;
  private volatile boolean ends;
  private volatile int error;
  private volatile Optional<BsonDocument> refusal = Optional.empty();

  /** What a primary adds to its greeting. */
  static BsonDocument greeting(int port) {
    return BsonDocument.parse(
        """
        {setName: 'rs0', setVersion: 1, hosts: ['localhost:%1$d'], me: 'localhost:%1$d',
         primary: 'localhost:%1$d', ismaster: true, secondary: false,
         electionId: {$oid: '7fffffff0000000000000001'}}"""
            .formatted(port));
  }

  /** Returns how many streams there are. */
  int streams() {
    return streams.size();
  }

  /** Returns how many streams were opened, with those that were resumed. */
  long opened() {
    return opened.get();
  }

  /** Returns of how many changes a stream was told, or is about to be. */
  int told() {
    return told.get();
  }

  /** From now on changes are told without the queue as it has become. */
  void tellNoQueue() {
    tellsTheQueue = false;
  }

  /** From now on streams are not opened but answered this. */
  void refuseWith(String json) {
    refusal = Optional.of(BsonDocument.parse(json));
  }

  /** From now on nobody is answered about a stream. */
  void fallSilent() {
    silent = true;
  }

  /** Whoever asks from now on is answered again. */
  void speakAgain() {
    silent = false;
  }

  /** All streams are lost, from now on with this error. */
  void breakAll(int code) {
    error = code;
    streams.clear();
  }

  /** All streams are told that there is nothing more to come, as when their collection is gone. */
  void endAll() {
    ends = true;
  }

  Fate judge(BsonDocument command) {
    return switch (command.getFirstKey()) {
      case "aggregate" -> isStream(command) ? open(command) : new Fate.Passes();
      case "getMore" -> more(command);
      case "killCursors" -> kill(command);
      case "findAndModify" -> new Fate.DoneAndShown(answer -> changed(command, answer));
      default -> new Fate.Passes();
    };
  }

  private static boolean isStream(BsonDocument command) {
    return command.getArray("pipeline").get(0).asDocument().containsKey("$changeStream");
  }

  private Fate open(BsonDocument command) {
    opened.incrementAndGet();
    if (refusal.isPresent()) {
      return new Fate.AnsweredInstead(refusal.get());
    }
    BsonArray pipeline = command.getArray("pipeline");
    BsonDocument match = pipeline.get(1).asDocument().getDocument("$match");
    BsonDocument options = pipeline.get(0).asDocument().getDocument("$changeStream");
    long cursor = CURSORS.incrementAndGet();
    synchronized (changes) {
      BsonDocument from = options.getDocument("resumeAfter", place(changes.size()));
      int before = number(from);
      Stream stream =
          new Stream(
              (Document) translated(match), new LinkedBlockingQueue<>(), new AtomicInteger(before));
      changes.subList(before, changes.size()).forEach(stream::tell);
      streams.put(cursor, stream);
      return batch(command, cursor, "firstBatch", List.of(), from);
    }
  }

  private static int number(BsonDocument place) {
    return Integer.parseInt(place.getString("_data").getValue());
  }

  private static BsonDocument place(int before) {
    return new BsonDocument("_data", new BsonString(Integer.toString(before)));
  }

  private Fate more(BsonDocument command) {
    long cursor = command.getNumber("getMore").longValue();
    Stream stream = streams.get(cursor);
    if (stream == null) {
      return cursor < 1_000
          ? new Fate.Passes()
          : new Fate.AnsweredInstead(
              BsonDocument.parse("{ok: 0, code: %d, errmsg: 'lost'}".formatted(error)));
    }
    if (ends) {
      streams.remove(cursor);
      return batch(command, 0, "nextBatch", List.of(), place(stream.told().get()));
    }
    try {
      while (silent) {
        TimeUnit.MILLISECONDS.sleep(50);
      }
      long millis = command.getNumber("maxTimeMS", new BsonInt64(500)).longValue();
      BsonDocument event = stream.events().poll(millis, TimeUnit.MILLISECONDS);
      if (event == null) {
        return batch(command, cursor, "nextBatch", List.of(), place(stream.told().get()));
      }
      BsonDocument place = event.getDocument("_id");
      stream.told().set(number(place));
      return batch(command, cursor, "nextBatch", List.of(event), place);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Fate.Lost();
    }
  }

  private Fate kill(BsonDocument command) {
    boolean ours = false;
    for (BsonValue cursor : command.getArray("cursors")) {
      ours |= streams.remove(cursor.asNumber().longValue()) != null;
    }
    return ours ? new Fate.AnsweredInstead(BsonDocument.parse("{ok: 1}")) : new Fate.Passes();
  }

  private static Fate batch(
      BsonDocument command, long cursor, String which, List<BsonDocument> events, BsonValue place) {
    String collection =
        command.getString(which.equals("firstBatch") ? "aggregate" : "collection").getValue();
    return new Fate.AnsweredInstead(
        BsonDocument.parse("{ok: 1.0}")
            .append(
                "cursor",
                new BsonDocument("id", new BsonInt64(cursor))
                    .append(
                        "ns",
                        new BsonString(command.getString("$db").getValue() + "." + collection))
                    .append(which, new BsonArray(events))
                    .append("postBatchResumeToken", place)));
  }

  /** The head has left, or somebody has come: what became of the queue is in the answer. */
  private void changed(BsonDocument command, BsonDocument answer) {
    BsonValue after = answer.get("value");
    if (after == null || !after.isDocument() || !after.asDocument().containsKey("queue")) {
      return;
    }
    BsonDocument update = command.getDocument("update");
    BsonDocument fields = update.getDocument("$inc", new BsonDocument()).clone();
    boolean queueChanged = update.containsKey("$pop") || update.containsKey("$pull");
    if (queueChanged && tellsTheQueue) {
      fields.append("queue", after.asDocument().get("queue"));
    }
    synchronized (changes) {
      BsonDocument event =
          new BsonDocument("_id", place(changes.size() + 1))
              .append("operationType", new BsonString("update"))
              .append("documentKey", new BsonDocument("_id", after.asDocument().get("_id")))
              .append("updateDescription", new BsonDocument("updatedFields", fields));
      changes.add(event);
      for (Stream stream : streams.values()) {
        if (stream.tell(event)) {
          told.incrementAndGet();
        }
      }
    }
  }

  /** The imitation has its own kind of documents. */
  private static Object translated(BsonValue value) {
    return switch (value.getBsonType()) {
      case DOCUMENT -> {
        Document document = new Document();
        value.asDocument().forEach((field, each) -> document.append(field, translated(each)));
        yield document;
      }
      case ARRAY -> value.asArray().stream().map(ChangeStreamStandIn::translated).toList();
      case STRING -> value.asString().getValue();
      case BOOLEAN -> value.asBoolean().getValue();
      case INT32 -> value.asInt32().getValue();
      case INT64 -> value.asInt64().getValue();
      default -> value.toString();
    };
  }
}
