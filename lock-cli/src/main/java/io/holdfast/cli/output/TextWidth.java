package io.holdfast.cli.output;

import java.lang.Character.UnicodeScript;

/** How many columns of a terminal a text takes. Right for usual text, not for all of Unicode. */
public final class TextWidth {

  private static final int FIRST_PICTOGRAPH = 0x1F300;
  private static final int LAST_PICTOGRAPH = 0x1FAFF;

  private TextWidth() {}

  static int of(String text) {
    return text.codePoints().map(TextWidth::of).sum();
  }

  private static int of(int character) {
    int type = Character.getType(character);
    if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
      return 0;
    }
    return isWide(character) ? 2 : 1;
  }

  private static boolean isWide(int character) {
    if (character >= FIRST_PICTOGRAPH && character <= LAST_PICTOGRAPH) {
      return true;
    }
    // The full-width forms; the letters below have no wide forms.
    if (character < 0x1100 || (character >= 0xFF61 && character <= 0xFFDC)) {
      return false;
    }
    UnicodeScript script = UnicodeScript.of(character);
    return script == UnicodeScript.HAN
        || script == UnicodeScript.HIRAGANA
        || script == UnicodeScript.KATAKANA
        || script == UnicodeScript.HANGUL
        || (character >= 0xFF01 && character <= 0xFF60);
  }

  /**
   * Returns the text, cut so that it takes so many columns at most, with an ellipsis at its end.
   */
  public static String cut(String text, int columns) {
    if (of(text) <= columns) {
      return text;
    }
    StringBuilder cut = new StringBuilder();
    int left = columns - 1;
    for (int character : text.codePoints().toArray()) {
      left -= of(character);
      if (left < 0) {
        break;
      }
      cut.appendCodePoint(character);
    }
    return columns < 1 ? "" : cut.append('…').toString();
  }
}
