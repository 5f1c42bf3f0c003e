package io.holdfast.engine;

/** An adapter has broken a rule of its interface. Asking it again is of no use. */
@SuppressWarnings("serial")
final class AdapterMistakeException extends IllegalStateException {

  AdapterMistakeException(String adapter, String mistake) {
    super("the adapter (%s) made a mistake: %s".formatted(adapter, mistake));
  }
}
