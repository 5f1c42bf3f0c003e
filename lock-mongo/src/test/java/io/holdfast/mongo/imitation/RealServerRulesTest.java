package io.holdfast.mongo.imitation;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.io.IOException;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules find commands that the imitation accepts and that are wrong for a real server. */
class RealServerRulesTest {

  private static final String GRAB =
      """
      {findAndModify: 'holdfast_locks', query: {_id: 'a', 'queue.0': {$exists: false}},
       fields: {base: 1, n: 1, since: 1, queue: {$slice: 1}}, new: true, upsert: true,
       update: {$push: {queue: {req: 'r', mode: 'x'}}, $inc: {n: {$numberLong: '1'}},
                $currentDate: {since: true}, $setOnInsert: {base: {$numberLong: '1'}}},
       writeConcern: {w: 'majority', j: true}, maxTimeMS: 5000}""";

  private static final String FIND =
      """
      {find: 'holdfast_locks', filter: {_id: 'a'}, projection: {n: 1}, sort: {_id: 1}, limit: 1,
       readConcern: {level: 'majority'}, maxTimeMS: 5000}""";

  private static final String STREAM =
      """
      {aggregate: 'holdfast_locks', cursor: {}, readConcern: {level: 'majority'}, maxTimeMS: 5000,
       pipeline: [{$changeStream: {}}, {$match: {'updateDescription.updatedFields.queue.0.req': 'r'}},
                  {$project: {documentKey: 1}}]}""";

  private static ClockedServer server;
  private static StrictProxy proxy;
  private static MongoClient client;

  @BeforeAll
  static void start() throws IOException {
    server = ClockedServer.start();
    proxy = StrictProxy.before(server.port());
    client = MongoClients.create(proxy.uri("test") + "?retryWrites=false");
  }

  @AfterAll
  static void stop() throws IOException {
    client.close();
    proxy.close();
    server.close();
  }

  /** Sends a command through the proxy and returns the faults that the proxy finds. */
  private static List<String> faultsOf(BsonDocument command) {
    proxy.takeFaults();
    try {
      client.getDatabase("test").runCommand(command);
    } catch (RuntimeException refused) {
      // The imitation's answer does not matter here.
    }
    return proxy.takeFaults();
  }

  private static BsonDocument with(String command, String path, String json) {
    BsonDocument whole = BsonDocument.parse(command);
    BsonDocument at = whole;
    String[] fields = path.split("/", -1);
    for (int i = 0; i < fields.length - 1; i++) {
      at = at.getDocument(fields[i]);
    }
    String last = fields[fields.length - 1];
    if (json.equals("-")) {
      at.remove(last);
    } else {
      at.put(last, BsonDocument.parse("{v: " + json + "}").get("v"));
    }
    return whole;
  }

  @ParameterizedTest
  @ValueSource(strings = {GRAB, FIND})
  void whatIsRightPasses(String command) {
    assertThat(faultsOf(BsonDocument.parse(command))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
      query/$expr | {$gt: ['$$NOW', '$since']} | $expr in an upsert
      query/since | {$date: '2020-01-01T00:00:00Z'} | equality on a date
      query/since | {$in: [{$date: '2020-01-01T00:00:00Z'}]} | equality on a date
      query/_id | {$regex: '^a'} | query operator that is not needed
      query/_id | {$regularExpression: {pattern: '^a', options: ''}} | a pattern
      query/_id | 'é' | order in different ways
      query/holder | null | field that is not ours
      query/queue | null | missing field meets
      query/queue.0.req | 'r' | path into an array, in an upsert
      query/orders.42 | 1 | field that is not ours
      query/queue | {$elemMatch: {holder: 'r'}} | field that is not ours
      query/queue | {$elemMatch: {since: {$gt: {$date: '2020-01-01T00:00:00Z'}, $mod: [2, 0]}}} | query operator that is not needed
      query/stays.orders.why | 'revoked' | field that is not ours
      update/$set | {'about.orders/42': {why: 'x'}} | field that is not ours
      query/queue.0 | - | queue without a bound
      update/$set | {} | operator without a field
      update/$set | {'queue.0': {req: 'r'}} | conflicting paths
      update/$set | {'queue.0': {req: 'r'}} | may not be there
      update/$set | {since: {$date: '2020-01-01T00:00:00Z'}} | time of the client's
      update/$max | {base: {$numberLong: '1'}} | conflicting paths
      update/$inc/n | 1 | counter of 32 bits
      update/$currentDate/since | {$type: 'timestamp'} | time that is not a date
      update/$rename | {n: 'base'} | update operator that is not needed
      update | [{$set: {n: 1}}] | by a pipeline
      update | {$set: {looks: 1}} | may change nothing
      fields | - | without a projection
      fields | {} | without a projection
      new | false | what was before
      writeConcern | - | no majority
      writeConcern | {w: 1, j: true} | no majority
      writeConcern | {w: 'majority'} | no journal
      writeConcern | {w: 'majority', j: false} | no journal
      writeConcern | {w: {$numberInt: '5'}, j: true} | no majority
      maxTimeMS | - | no bound
      hint | {_id: 1} | option that is not needed
      collation | {locale: 'en', strength: 2} | option that is not needed
      let | {a: 1} | option that is not needed
      comment | 'x' | option that is not needed
      txnNumber | {$numberLong: '1'} | option that is not needed
      """)
  void aSpoiltChangeIsCaught(String path, String json, String fault) {
    assertThat(faultsOf(with(GRAB, path, json))).anyMatch(found -> found.contains(fault));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
      filter/$expr | {$gt: ['$$NOW', '$since']} | long past
      filter/$where | 'true' | query operator that is not needed
      filter/since | {$date: '2020-01-01T00:00:00Z'} | equality on a date
      filter/_id | {$gt: '\uD83D\uDE00'} | order in different ways
      projection | - | without a projection
      readConcern | - | can be undone
      readConcern | {level: 'local'} | can be undone
      readConcern | {level: 'linearizable'} | standalone server refuses
      maxTimeMS | - | no bound
      $readPreference | {mode: 'secondary'} | option that is not needed
      """)
  void aSpoiltReadingIsCaught(String path, String json, String fault) {
    assertThat(faultsOf(with(FIND, path, json))).anyMatch(found -> found.contains(fault));
  }

  @Test
  void aStreamOfWhatConcernsASessionPasses() {
    assertThat(faultsOf(BsonDocument.parse(STREAM))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
      pipeline | [{$changeStream: {}}, {$project: {documentKey: 1}}] | concerns others
      pipeline | [{$changeStream: {}}, {$match: {operationType: 'update'}}, {$project: {documentKey: 1}}] | concerns others
      pipeline | [{$changeStream: {fullDocument: 'updateLookup'}}, {$match: {'a.req': 'r'}}, {$project: {documentKey: 1}}] | option that is not needed
      pipeline | [{$changeStream: {}}, {$match: {'a.req': 'r'}}, {$project: {_id: 0, documentKey: 1}}] | cannot be resumed
      readConcern | {level: 'local'} | can be undone
      """)
  void aSpoiltStreamIsCaught(String path, String json, String fault) {
    assertThat(faultsOf(with(STREAM, path, json))).anyMatch(found -> found.contains(fault));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
      {serverStatus: 1} | command that is not needed
      {createIndexes: 'holdfast_sessions', indexes: [{key: {renewed: 1}, name: 'x', expireAfterSeconds: 60}], maxTimeMS: 9} | deletes
      {createIndexes: 'holdfast_locks', indexes: [{key: {since: 1}, name: 'x', unique: true}], maxTimeMS: 9} | refuses
      {createIndexes: 'holdfast_sessions', indexes: [{key: {id: 1}, name: 'x', unique: true, sparse: true}], maxTimeMS: 9} | refuses
      {createIndexes: 'holdfast_locks', indexes: [{key: {since: 1}, name: 'x'}], writeConcern: {w: 'majority'}, maxTimeMS: 9} | no journal
      {update: 'holdfast_locks', updates: [{q: {_id: 'a'}, u: {n: 1}}], writeConcern: {w: 'majority', j: true}, maxTimeMS: 9} | a whole document
      {delete: 'holdfast_locks', deletes: [{q: {since: {$date: '2020-01-01T00:00:00Z'}}, limit: 1}], writeConcern: {w: 'majority', j: true}, maxTimeMS: 9} | equality on a date
      {delete: 'holdfast_locks', deletes: [{q: {_id: 'a'}, limit: 1}], maxTimeMS: 9} | no majority
      {aggregate: 'holdfast_sessions', pipeline: [{$match: {_id: 'a'}}], cursor: {}, readConcern: {level: 'majority'}, maxTimeMS: 9} | without a projection
      {aggregate: 'holdfast_sessions', pipeline: [{$project: {now: '$why'}}], cursor: {}, readConcern: {level: 'majority'}, maxTimeMS: 9} | an expression
      {aggregate: 'holdfast_sessions', pipeline: [{$project: {now: '$$CLUSTER_TIME'}}], cursor: {}, readConcern: {level: 'majority'}, maxTimeMS: 9} | an expression
      """)
  void aCommandThatIsNotOursIsCaught(String command, String fault) {
    assertThat(faultsOf(BsonDocument.parse(command))).anyMatch(found -> found.contains(fault));
  }

  /**
   * A valid command reaches the server, so the faults in the other tests come from their changes to
   * it.
   */
  @ParameterizedTest
  @ValueSource(strings = {"a", "b"})
  void whatPassesIsDone(String key) {
    BsonDocument grab = BsonDocument.parse(GRAB);
    grab.getDocument("query").put("_id", new BsonString("done/" + key));

    assertThat(faultsOf(grab)).isEmpty();

    assertThat(
            client
                .getDatabase("test")
                .getCollection("holdfast_locks", BsonDocument.class)
                .find(new BsonDocument("_id", new BsonString("done/" + key)))
                .first())
        .isNotNull();
  }
}
