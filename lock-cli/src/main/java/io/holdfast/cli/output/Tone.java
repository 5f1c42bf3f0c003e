package io.holdfast.cli.output;

/** How a text is shown where there are colours. */
enum Tone {
  PLAIN(""),
  TITLE("1"),
  WARNING("33"),
  ALARM("31");

  private final String code;

  Tone(String code) {
    this.code = code;
  }

  String paint(String text) {
    return code.isEmpty() ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
  }
}
