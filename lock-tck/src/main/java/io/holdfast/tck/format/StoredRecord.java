package io.holdfast.tck.format;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One record as a store keeps it: a row, a key, a node, a document. Immutable.
 *
 * @param place which record it is, such as the table and the key of a row; unique within a store.
 *     Spelled as in a golden file
 * @param fields its fields in order; a value is spelled as in a golden file, and may have
 *     placeholders
 */
public record StoredRecord(String place, Map<String, String> fields) {

  private static final String CONTINUED = "\n  | ";

  /** Copies the fields. */
  public StoredRecord {
    fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
  }

  /** Returns a record without fields. */
  public static StoredRecord at(String place) {
    return at(place.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns a record without fields. */
  public static StoredRecord at(byte[] place) {
    return new StoredRecord(GoldenText.escape(place), Map.of());
  }

  /** Returns the record with one more field. */
  public StoredRecord with(String field, String value) {
    return with(field, value.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the record with one more field. */
  public StoredRecord with(String field, byte[] value) {
    return spelled(field, GoldenText.escape(value));
  }

  private StoredRecord spelled(String field, String value) {
    Map<String, String> more = new LinkedHashMap<>(fields);
    more.put(field, value);
    return new StoredRecord(place, more);
  }

  /** Returns the bytes of its place. */
  public byte[] placeBytes() {
    return GoldenText.bytes(place, Map.of());
  }

  /** Returns its place as text. */
  public String placeText() {
    return new String(placeBytes(), StandardCharsets.UTF_8);
  }

  /** Returns whether it has a field. */
  public boolean has(String field) {
    return fields.containsKey(field);
  }

  /**
   * Returns the bytes of a field.
   *
   * @param values what the placeholders stand for
   */
  public byte[] bytes(String field, Map<String, String> values) {
    String value = fields.get(field);
    if (value == null) {
      throw new IllegalArgumentException("[" + place + "] has no field " + field);
    }
    return GoldenText.bytes(value, values);
  }

  /**
   * Returns a field as text.
   *
   * @param values what the placeholders stand for
   */
  public String text(String field, Map<String, String> values) {
    return new String(bytes(field, values), StandardCharsets.UTF_8);
  }

  /** Returns the record with a placeholder instead of each value that no two runs share. */
  StoredRecord masked(Iterable<Placeholder> placeholders, Map<String, String> learned) {
    StoredRecord masked = this;
    for (Map.Entry<String, String> field : fields.entrySet()) {
      String value = field.getValue();
      for (Placeholder placeholder : placeholders) {
        value = placeholder.mask(place, field.getKey(), value, learned);
      }
      masked = masked.spelled(field.getKey(), value);
    }
    return masked;
  }

  /** Returns the record as a golden file has it; a value of several lines stands on several. */
  String render() {
    StringBuilder text = new StringBuilder("[" + place + "]\n");
    fields.forEach(
        (field, value) ->
            text.append(field)
                .append(value.isEmpty() ? " =" : " = ")
                .append(value.replaceAll("\\\\n(?!$)", "\\\\n" + CONTINUED))
                .append('\n'));
    return text.toString();
  }
}
