package io.holdfast.engine.turn;

/** An adapter has broken a rule of its interface. Asking it again is of no use. */
@SuppressWarnings("serial")
public final class AdapterMistakeException extends IllegalStateException {

  public AdapterMistakeException(String adapter, String mistake) {
    super("the adapter (%s) made a mistake: %s".formatted(adapter, mistake));
  }
}
