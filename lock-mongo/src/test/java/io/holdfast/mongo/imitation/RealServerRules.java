package io.holdfast.mongo.imitation;

import io.holdfast.mongo.connection.Documents;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Finds in a command what a real server refuses or interprets differently from the imitation, and
 * what locks must not send to any server. Everything that is not known to be needed is a fault.
 */
public final class RealServerRules {

  /** The allowed commands, and the fields of each that servers from 4.2 on know. */
  private static final Map<String, Set<String>> COMMANDS =
      Map.of(
          "findAndModify",
          Set.of("query", "update", "new", "upsert", "fields", "writeConcern", "maxTimeMS"),
          "find",
          Set.of(
              "filter",
              "projection",
              "sort",
              "limit",
              "batchSize",
              "singleBatch",
              "readConcern",
              "maxTimeMS"),
          "aggregate",
          Set.of("pipeline", "cursor", "readConcern", "maxTimeMS"),
          "update",
          Set.of("updates", "ordered", "writeConcern", "maxTimeMS"),
          "delete",
          Set.of("deletes", "ordered", "writeConcern", "maxTimeMS"),
          "createIndexes",
          Set.of("indexes", "writeConcern", "maxTimeMS"),
          "listCollections",
          Set.of("filter", "cursor", "maxTimeMS"));

  /** Commands of the driver itself, and the fields that it adds to others. */
  private static final Set<String> GREETINGS =
      Set.of("ping", "buildInfo", "endSessions", "getMore", "killCursors");

  private static final Set<String> ADDED = Set.of("$db", "lsid", "$clusterTime");

  private static final Set<String> QUERY_OPERATORS =
      Set.of("$exists", "$ne", "$in", "$lt", "$gt", "$gte", "$size", "$or", "$elemMatch");

  private static final Set<String> UPDATE_OPERATORS =
      Set.of(
          "$set",
          "$setOnInsert",
          "$inc",
          "$max",
          "$currentDate",
          "$push",
          "$pull",
          "$pop",
          "$unset",
          "$addToSet");

  /** Operators that always change a matching document, so that the answer waits for a majority. */
  private static final Set<String> ALWAYS_CHANGING =
      Set.of("$inc", "$max", "$currentDate", "$push", "$pop");

  /** The key of the index that refuses the sessions of an earlier version. */
  private static final BsonDocument KEEPS_OUT = Documents.fields("id");

  private static final String REQUEST = "[0-9a-f]{32}-\\d+";

  /**
   * The paths in our documents. A text of the application that became a path would not be one of
   * them.
   */
  private static final Pattern FIELD =
      Pattern.compile(
          """
          _id|id|base|n|since|left|looks|judged|queue(\\.\\d+)?(\\.(req|mode|process))?|about(\\.REQ)?\
          |stays(\\.REQ(\\.(why|from|inc|for|begun))?)?|revoked(\\.REQ(\\.(from|inc|for))?)?\
          |ttl|process|renewed|renewals|inc|ended|protocol|partitions|maxTtl|maxClockStep|floor\
          |swept|sweeps|req|mode|delay|why|payload|now|name"""
              .replace("REQ", REQUEST));

  private final BsonDocument command;
  private final List<String> found = new ArrayList<>();

  private RealServerRules(BsonDocument command) {
    this.command = command;
  }

  /** Returns the faults of a command. */
  static List<String> faults(BsonDocument command) {
    RealServerRules severity = new RealServerRules(command);
    severity.check();
    return severity.found;
  }

  /** Returns whether a command concerns the connection, not locks. */
  public static boolean isGreeting(BsonDocument command) {
    return GREETINGS.contains(command.getFirstKey());
  }

  private void fault(String what, @Nullable Object where) {
    found.add(what + ": " + where);
  }

  private void check() {
    String name = command.getFirstKey();
    if (isGreeting(command)) {
      return;
    }
    @Nullable Set<String> known = COMMANDS.get(name);
    if (known == null) {
      fault("a command that is not needed", name);
      return;
    }
    for (String field : command.keySet()) {
      if (!field.equals(name) && !known.contains(field) && !ADDED.contains(field)) {
        fault("an option that is not needed or too new", field);
      }
    }
    if (!command.containsKey("maxTimeMS")) {
      fault("no bound on the time, nor on the wait for a majority", name);
    }
    switch (name) {
      case "findAndModify" -> {
        checkWriteConcern();
        checkChange(command.get("query"), command.get("update"), isTrue(command, "upsert"));
        checkReply(command.get("fields"));
        if (!isTrue(command, "new")) {
          fault("an answer that tells what was before", name);
        }
      }
      case "update" -> {
        checkWriteConcern();
        for (BsonValue each : command.getArray("updates")) {
          BsonDocument update = each.asDocument();
          checkChange(update.get("q"), update.get("u"), isTrue(update, "upsert"));
        }
      }
      case "delete" -> {
        checkWriteConcern();
        for (BsonValue each : command.getArray("deletes")) {
          checkFilter(each.asDocument().getDocument("q"), false);
        }
      }
      case "find" -> {
        checkReadConcern();
        checkFilter(command.getDocument("filter", new BsonDocument()), false);
        checkReply(command.get("projection"));
      }
      case "aggregate" -> {
        checkReadConcern();
        checkPipeline(command.getArray("pipeline"));
      }
      case "createIndexes" -> {
        checkWriteConcern();
        for (BsonValue each : command.getArray("indexes")) {
          BsonDocument index = each.asDocument();
          index.getDocument("key").keySet().forEach(this::checkField);
          boolean keepsOut = isTrue(index, "unique") && index.getDocument("key").equals(KEEPS_OUT);
          if (!Set.of("key", "name", "ns").containsAll(index.keySet())
              && !(keepsOut && index.keySet().equals(Set.of("key", "name", "unique")))) {
            fault("an index that deletes, or refuses, or sorts in its own way", index);
          }
        }
      }
      default -> {}
    }
  }

  private static boolean isTrue(BsonDocument document, String field) {
    return document.getBoolean(field, BsonBoolean.FALSE).getValue();
  }

  private void checkWriteConcern() {
    BsonDocument concern = command.getDocument("writeConcern", new BsonDocument());
    if (!new BsonString("majority").equals(concern.get("w"))) {
      fault("a write that no majority confirms", concern);
    }
    if (!isTrue(concern, "j")) {
      fault("a write that is confirmed while it is in no journal", concern);
    }
  }

  private void checkReadConcern() {
    BsonDocument concern = command.getDocument("readConcern", new BsonDocument());
    if (!new BsonString("majority").equals(concern.get("level"))) {
      fault("a reading that can be undone, or that a standalone server refuses", concern);
    }
  }

  private void checkReply(@Nullable BsonValue fields) {
    if (fields == null || !fields.isDocument() || fields.asDocument().isEmpty()) {
      fault("an answer without a projection", fields);
    } else {
      fields.asDocument().keySet().forEach(this::checkField);
    }
  }

  private void checkPipeline(BsonArray stages) {
    BsonDocument first = stages.get(0).asDocument();
    if (first.containsKey("$changeStream")) {
      checkStream(first.getDocument("$changeStream"), stages);
      return;
    }
    boolean projected = false;
    for (BsonValue each : stages) {
      BsonDocument stage = each.asDocument();
      switch (stage.getFirstKey()) {
        case "$match" -> checkFilter(stage.getDocument("$match"), false);
        case "$sort", "$limit" -> {}
        case "$project" -> {
          projected = true;
          stage
              .getDocument("$project")
              .forEach(
                  (field, value) -> {
                    checkField(field);
                    if (value.isString() && !value.asString().getValue().equals("$$NOW")) {
                      fault("a text that is an expression", value);
                    }
                  });
        }
        default -> fault("a stage that is not needed", stage);
      }
    }
    if (!projected) {
      fault("an answer without a projection", stages);
    }
  }

  /** The driver needs a place to resume from. Any other option costs the server much. */
  private void checkStream(BsonDocument options, BsonArray stages) {
    if (!Set.of("resumeAfter", "startAtOperationTime").containsAll(options.keySet())) {
      fault("an option that is not needed", options);
    }
    List<String> names = stages.stream().map(stage -> stage.asDocument().getFirstKey()).toList();
    if (!names.equals(List.of("$changeStream", "$match", "$project"))) {
      fault("a change stream that tells what concerns others", names);
      return;
    }
    if (!stages.get(1).toString().contains(".req")) {
      fault("a change stream that tells what concerns others", stages);
    }
    BsonDocument told = stages.get(2).asDocument().getDocument("$project");
    if (told.values().stream().anyMatch(value -> !value.equals(new BsonInt32(1)))) {
      fault("a change stream that cannot be resumed, or an expression", told);
    }
  }

  private void checkChange(@Nullable BsonValue filter, @Nullable BsonValue update, boolean upsert) {
    if (filter == null || update == null || !update.isDocument()) {
      fault("an update by a pipeline, in which a text can be an expression", update);
      return;
    }
    checkFilter(filter.asDocument(), upsert);
    checkUpdate(filter.asDocument(), update.asDocument());
  }

  private void checkFilter(BsonDocument filter, boolean upsert) {
    filter.forEach(
        (field, value) -> {
          if (field.startsWith("$")) {
            checkOperator(field, value, upsert);
          } else {
            checkField(field);
            checkCondition(field, value, upsert);
          }
        });
  }

  private void checkOperator(String operator, BsonValue value, boolean upsert) {
    if (operator.equals("$expr")) {
      fault(
          upsert ? "$expr in an upsert" : "$expr, which takes a missing time for one long past",
          value);
    } else if (!QUERY_OPERATORS.contains(operator)) {
      fault("a query operator that is not needed", operator);
    } else if (value.isArray()) {
      value.asArray().forEach(each -> checkFilter(each.asDocument(), upsert));
    }
  }

  private void checkCondition(String field, BsonValue value, boolean upsert) {
    if (value.isDateTime()) {
      fault("equality on a date", field);
    }
    if (value.isRegularExpression()) {
      fault("a pattern", field);
    }
    if (value.isNull()) {
      fault("a condition that a missing field meets", field);
    }
    boolean operators =
        value.isDocument()
            && value.asDocument().keySet().stream().anyMatch(key -> key.startsWith("$"));
    if (operators) {
      value.asDocument().forEach((operator, operand) -> checkOperand(field, operator, operand));
    } else if (upsert && field.contains(".")) {
      fault("equality on a path into an array, in an upsert", field);
    }
    if (field.equals("_id") && isLocks()) {
      strings(value).forEach(this::checkKey);
    }
  }

  private void checkOperand(String field, String operator, BsonValue operand) {
    if (!QUERY_OPERATORS.contains(operator)) {
      fault("a query operator that is not needed", operator);
    }
    if (operator.equals("$elemMatch")) {
      checkFilter(operand.asDocument(), false);
    }
    boolean equality = Set.of("$in", "$ne", "$eq").contains(operator);
    if (equality && (operand.isDateTime() || dates(operand))) {
      fault("equality on a date", field);
    }
  }

  private static boolean dates(BsonValue value) {
    return value.isArray() && value.asArray().stream().anyMatch(BsonValue::isDateTime);
  }

  private boolean isLocks() {
    return command.getString(command.getFirstKey()).getValue().endsWith("locks");
  }

  private static Collection<String> strings(BsonValue value) {
    List<String> strings = new ArrayList<>();
    if (value.isString()) {
      strings.add(value.asString().getValue());
    } else if (value.isArray()) {
      value.asArray().forEach(each -> strings.addAll(strings(each)));
    } else if (value.isDocument()) {
      value.asDocument().values().forEach(each -> strings.addAll(strings(each)));
    }
    return strings;
  }

  /** A server orders by UTF-8, the imitation by UTF-16. */
  private void checkKey(String key) {
    if (!StandardCharsets.US_ASCII.newEncoder().canEncode(key)) {
      fault("a key that servers order in different ways", key);
    }
  }

  private void checkUpdate(BsonDocument filter, BsonDocument update) {
    List<String> paths = new ArrayList<>();
    update.forEach(
        (operator, fields) -> {
          if (!UPDATE_OPERATORS.contains(operator)) {
            fault("an update operator that is not needed, or a whole document", operator);
            return;
          }
          if (fields.asDocument().isEmpty()) {
            fault("an operator without a field", operator);
          }
          fields
              .asDocument()
              .forEach(
                  (path, value) -> {
                    checkField(path);
                    checkAssignment(filter, operator, path, value);
                    paths.forEach(other -> checkPaths(other, path));
                    paths.add(path);
                  });
        });
    if (update.keySet().stream().noneMatch(ALWAYS_CHANGING::contains)) {
      fault("a change that may change nothing, so that nothing confirms it", update);
    }
  }

  private void checkAssignment(BsonDocument filter, String operator, String path, BsonValue value) {
    if (operator.equals("$inc") && !(value instanceof BsonInt64)) {
      fault("a counter of 32 bits", path);
    }
    if (operator.equals("$currentDate") && !value.isBoolean()) {
      fault("a time that is not a date", path);
    }
    if (operator.equals("$set") && value.isDateTime()) {
      fault("a time of the client's", path);
    }
    if (operator.equals("$set")
        && path.startsWith("queue.")
        && !filter.containsKey("queue.0.req")) {
      fault("a place in an array that may not be there", path);
    }
    boolean bounded =
        filter.entrySet().stream()
            .anyMatch(
                condition ->
                    condition.getKey().startsWith("queue.")
                        && condition.getValue().equals(Documents.exists(false)));
    if (operator.equals("$push") && !bounded) {
      fault("a queue without a bound", path);
    }
    if (value.isDocument()) {
      value.asDocument().keySet().forEach(this::checkField);
    }
  }

  private void checkPaths(String one, String other) {
    if (one.equals(other) || one.startsWith(other + ".") || other.startsWith(one + ".")) {
      fault("conflicting paths", one + " and " + other);
    }
  }

  private void checkField(String path) {
    if (!FIELD.matcher(path).matches()) {
      fault("a field that is not ours", path);
    }
  }
}
