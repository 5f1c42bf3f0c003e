package io.holdfast.mongo.imitation;

import de.bwaldvogel.mongo.backend.DefaultQueryMatcher;
import de.bwaldvogel.mongo.bson.Document;
import io.holdfast.mongo.imitation.WireProxy.Fate;
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
 * Makes the imitation look like the primary of a replica set with change streams, which it does not
 * have. It answers for the streams, and reports to them each change of a lock that it sees. The
 * events have the form that the manual describes; it was not compared with a real server.
 */
public final class FakeChangeStreams {

  private static final AtomicLong CURSORS = new AtomicLong(1_000);

  /** An open stream, and how many changes it has reported. */
  private record Stream(Document filter, BlockingQueue<BsonDocument> events, AtomicInteger told) {

    boolean tell(BsonDocument event) {
      return new DefaultQueryMatcher().matches((Document) translated(event), filter)
          && events.add(event);
    }
  }

  private final ClockedServer server;

  /** All changes so far. A place in the streams is the number of changes before it. */
  private final List<BsonDocument> changes = new ArrayList<>();

  private final Map<Long, Stream> streams = new ConcurrentHashMap<>();
  private final AtomicLong opened = new AtomicLong();
  private final AtomicInteger told = new AtomicInteger();
  private volatile boolean tellsTheQueue = true;
  private volatile boolean silent;
  private volatile boolean ends;
  private volatile int error;
  private volatile Optional<BsonDocument> refusal = Optional.empty();

  public FakeChangeStreams(ClockedServer server) {
    this.server = server;
  }

  /** Returns the fields that a primary adds to its greeting. */
  public static BsonDocument greeting(int port) {
    return BsonDocument.parse(
        """
        {setName: 'rs0', setVersion: 1, hosts: ['localhost:%1$d'], me: 'localhost:%1$d',
         primary: 'localhost:%1$d', ismaster: true, secondary: false,
         electionId: {$oid: '7fffffff0000000000000001'}}"""
            .formatted(port));
  }

  /** Returns how many streams are open. */
  public int count() {
    return streams.size();
  }

  /** Returns how many streams were opened, including resumed ones. */
  public long opened() {
    return opened.get();
  }

  /** Returns how many events were sent to streams, or are about to be. */
  public int told() {
    return told.get();
  }

  /** From now on events do not contain the remaining queue. */
  public void tellNoQueue() {
    tellsTheQueue = false;
  }

  /** From now on this answer refuses every stream. */
  public void refuseWith(String json) {
    refusal = Optional.of(BsonDocument.parse(json));
  }

  /** From now on no command about a stream gets an answer. */
  public void fallSilent() {
    silent = true;
  }

  /** From now on commands about streams get answers again. */
  public void speakAgain() {
    silent = false;
  }

  /** Breaks all streams; from now on commands about them get this error. */
  public void breakAll(int code) {
    error = code;
    streams.clear();
  }

  /** Ends all streams, as when their collection is dropped. */
  public void endAll() {
    ends = true;
  }

  public Fate judge(BsonDocument command) {
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

  /** Reports a change of a lock to the streams. */
  private void changed(BsonDocument command, BsonDocument answer) {
    BsonValue after = answer.get("value");
    if (after == null || !after.isDocument() || !after.asDocument().containsKey("queue")) {
      return;
    }
    BsonDocument update = command.getDocument("update");
    BsonDocument fields = update.getDocument("$inc", new BsonDocument()).clone();
    boolean queueChanged = update.containsKey("$pop") || update.containsKey("$pull");
    if (queueChanged && tellsTheQueue) {
      fields.append("queue", queue(command, after.asDocument().getString("_id")));
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

  /** Returns the whole queue, of which the answer has only the beginning. */
  private BsonArray queue(BsonDocument command, BsonValue key) {
    BsonArray queue = new BsonArray();
    for (Object each :
        server.queue(
            command.getString("$db").getValue(),
            command.getString("findAndModify").getValue(),
            translated(key))) {
      Document entry = (Document) each;
      queue.add(
          new BsonDocument("req", new BsonString((String) entry.get("req")))
              .append("mode", new BsonString((String) entry.get("mode"))));
    }
    return queue;
  }

  /** Translates a document to the imitation's own type. */
  private static Object translated(BsonValue value) {
    return switch (value.getBsonType()) {
      case DOCUMENT -> {
        Document document = new Document();
        value.asDocument().forEach((field, each) -> document.append(field, translated(each)));
        yield document;
      }
      case ARRAY -> value.asArray().stream().map(FakeChangeStreams::translated).toList();
      case STRING -> value.asString().getValue();
      case BOOLEAN -> value.asBoolean().getValue();
      case INT32 -> value.asInt32().getValue();
      case INT64 -> value.asInt64().getValue();
      default -> value.toString();
    };
  }
}
