package io.holdfast.tck.history;

import io.holdfast.FencingToken;
import io.holdfast.ReleaseOutcome;
import io.holdfast.SessionId;
import io.holdfast.error.LossReason;
import io.holdfast.tck.history.HistoryEvent.Believed;
import io.holdfast.tck.history.HistoryEvent.ClientClosed;
import io.holdfast.tck.history.HistoryEvent.ClientClosing;
import io.holdfast.tck.history.HistoryEvent.Downgraded;
import io.holdfast.tck.history.HistoryEvent.Extended;
import io.holdfast.tck.history.HistoryEvent.Failed;
import io.holdfast.tck.history.HistoryEvent.Granted;
import io.holdfast.tck.history.HistoryEvent.Lost;
import io.holdfast.tck.history.HistoryEvent.ProcessContinued;
import io.holdfast.tck.history.HistoryEvent.ProcessKilled;
import io.holdfast.tck.history.HistoryEvent.ProcessPaused;
import io.holdfast.tck.history.HistoryEvent.Queued;
import io.holdfast.tck.history.HistoryEvent.Released;
import io.holdfast.tck.history.HistoryEvent.Releasing;
import io.holdfast.tck.history.HistoryEvent.Requested;
import io.holdfast.tck.history.HistoryEvent.SessionExpired;
import io.holdfast.tck.history.HistoryEvent.SessionOpened;
import io.holdfast.tck.history.HistoryEvent.TimedOut;
import io.holdfast.tck.history.HistoryEvent.WriteRejected;
import io.holdfast.tck.history.HistoryEvent.Written;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * An event as a line of text: its kind, whom it concerns, its instants, the rest; separated by one
 * space each. Durations are in nanoseconds.
 */
public final class HistoryLine {

  private static final String FOR_EVER = "forever";

  private HistoryLine() {}

  public static String format(HistoryEvent event) {
    if (event instanceof Requested e) {
      String maxWait = e.maxWait().map(wait -> Long.toString(wait.toNanos())).orElse(FOR_EVER);
      return line("requested", e.request(), e.at(), encode(e.lock()), maxWait, e.wanted());
    } else if (event instanceof Queued e) {
      return line("queued", e.request(), e.at(), e.session());
    } else if (event instanceof Granted e) {
      return line("granted", e.request(), e.at(), e.token());
    } else if (event instanceof Believed e) {
      return line("believed", e.request(), e.call().before(), e.call().after(), e.left().toNanos());
    } else if (event instanceof Lost e) {
      return line("lost", e.request(), e.at(), e.reason());
    } else if (event instanceof Downgraded e) {
      return line("downgraded", e.request(), e.call().before(), e.call().after(), e.token());
    } else if (event instanceof Extended e) {
      return line(
          "extended", e.request(), e.call().before(), e.call().after(), e.atMost().toNanos());
    } else if (event instanceof Releasing e) {
      return line("releasing", e.request(), e.at());
    } else if (event instanceof Released e) {
      return line("released", e.request(), e.call().before(), e.call().after(), e.outcome());
    } else if (event instanceof Written e) {
      return line(
          "written",
          e.request(),
          e.call().before(),
          e.call().after(),
          e.token(),
          e.basedOn(),
          e.serial());
    } else if (event instanceof WriteRejected e) {
      return line("rejected", e.request(), e.call().before(), e.call().after(), e.token());
    } else if (event instanceof TimedOut e) {
      return line("timedout", e.request(), e.at());
    } else if (event instanceof Failed e) {
      return line("failed", e.request(), e.at(), encode(e.problem()));
    } else if (event instanceof SessionOpened e) {
      return line("opened", e.client(), e.at(), e.session());
    } else if (event instanceof SessionExpired e) {
      return line("expired", e.client(), e.at(), e.session());
    } else if (event instanceof ClientClosing e) {
      return line("closing", e.client(), e.at());
    } else if (event instanceof ClientClosed e) {
      return line("closed", e.client(), e.call().before(), e.call().after());
    } else if (event instanceof ProcessKilled e) {
      return line("killed", e.process(), e.call().before(), e.call().after());
    } else if (event instanceof ProcessPaused e) {
      return line("paused", e.process(), e.call().before(), e.call().after());
    } else if (event instanceof ProcessContinued e) {
      return line("continued", e.process(), e.call().before(), e.call().after());
    }
    throw new IllegalArgumentException("No line for " + event);
  }

  /**
   * Reads a line.
   *
   * @throws IllegalArgumentException if it is none
   */
  static HistoryEvent parse(String line) {
    try {
      return parse(line.split(" ", -1));
    } catch (ArrayIndexOutOfBoundsException e) {
      throw new IllegalArgumentException("Too short for a line of a history: " + line, e);
    }
  }

  private static HistoryEvent parse(String[] field) {
    return switch (field[0]) {
      case "requested" ->
          new Requested(
              request(field),
              number(field, 2),
              decode(field[3]),
              maxWait(field[4]),
              Wanted.parse(field, 5));
      case "queued" -> new Queued(request(field), number(field, 2), session(field));
      case "granted" -> new Granted(request(field), number(field, 2), token(field[3]));
      case "believed" ->
          new Believed(request(field), span(field), Duration.ofNanos(number(field, 4)));
      case "lost" -> new Lost(request(field), number(field, 2), LossReason.valueOf(field[3]));
      case "downgraded" -> new Downgraded(request(field), span(field), token(field[4]));
      case "extended" ->
          new Extended(request(field), span(field), Duration.ofNanos(number(field, 4)));
      case "releasing" -> new Releasing(request(field), number(field, 2));
      case "released" ->
          new Released(request(field), span(field), ReleaseOutcome.valueOf(field[4]));
      case "written" ->
          new Written(
              request(field), span(field), token(field[4]), number(field, 5), number(field, 6));
      case "rejected" -> new WriteRejected(request(field), span(field), token(field[4]));
      case "timedout" -> new TimedOut(request(field), number(field, 2));
      case "failed" -> new Failed(request(field), number(field, 2), decode(field[3]));
      case "opened" ->
          new SessionOpened(ClientTag.parse(field[1]), number(field, 2), session(field));
      case "expired" ->
          new SessionExpired(ClientTag.parse(field[1]), number(field, 2), session(field));
      case "closing" -> new ClientClosing(ClientTag.parse(field[1]), number(field, 2));
      case "closed" -> new ClientClosed(ClientTag.parse(field[1]), span(field));
      case "killed" -> new ProcessKilled(field[1], span(field));
      case "paused" -> new ProcessPaused(field[1], span(field));
      case "continued" -> new ProcessContinued(field[1], span(field));
      default -> throw new IllegalArgumentException("No such event: " + field[0]);
    };
  }

  private static String line(Object... fields) {
    return Arrays.stream(fields).map(String::valueOf).collect(Collectors.joining(" "));
  }

  private static RequestTag request(String[] field) {
    return RequestTag.parse(field[1]);
  }

  private static SessionId session(String[] field) {
    return new SessionId(field[3]);
  }

  private static Span span(String[] field) {
    return new Span(number(field, 2), number(field, 3));
  }

  private static long number(String[] field, int index) {
    return Long.parseLong(field[index]);
  }

  private static FencingToken token(String text) {
    return new FencingToken(Long.parseLong(text));
  }

  private static Optional<Duration> maxWait(String text) {
    return text.equals(FOR_EVER)
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(Long.parseLong(text)));
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
