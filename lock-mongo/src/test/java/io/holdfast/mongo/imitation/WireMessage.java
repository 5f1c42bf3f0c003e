package io.holdfast.mongo.imitation;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.bson.BsonArray;
import org.bson.BsonBinaryReader;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;

/** A message of MongoDB's wire protocol. */
final class WireMessage {

  private static final int HEADER = 16;
  private static final int OP_MSG = 2013;
  private static final int BODY = 0;

  /**
   * The length of the header before the document in an answer to the first greeting of a
   * connection.
   */
  private static final int OLD_REPLY = 36;

  private final byte[] bytes;

  private WireMessage(byte[] bytes) {
    this.bytes = bytes;
  }

  static WireMessage read(DataInputStream in) throws IOException {
    int length = Integer.reverseBytes(in.readInt());
    byte[] bytes = new byte[length];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(length);
    in.readFully(bytes, Integer.BYTES, length - Integer.BYTES);
    return new WireMessage(bytes);
  }

  void writeTo(OutputStream out) throws IOException {
    out.write(bytes);
  }

  /** Makes the answer to a request. */
  static WireMessage answer(WireMessage request, BsonDocument document) {
    return answer(request.header().getInt(4), document);
  }

  private static WireMessage answer(int number, BsonDocument document) {
    byte[] body = encode(document);
    ByteBuffer message =
        ByteBuffer.allocate(HEADER + Integer.BYTES + 1 + body.length)
            .order(ByteOrder.LITTLE_ENDIAN);
    message.putInt(message.capacity()).putInt(0).putInt(number).putInt(OP_MSG);
    message.putInt(0).put((byte) BODY).put(body);
    return new WireMessage(message.array());
  }

  /** Returns the same answer with fields added. */
  WireMessage with(BsonDocument addition) {
    if (addition.isEmpty()) {
      return this;
    }
    BsonDocument whole = document();
    whole.putAll(addition);
    if (isMessage()) {
      return answer(header().getInt(8), whole);
    }
    byte[] body = encode(whole);
    ByteBuffer reply = ByteBuffer.allocate(OLD_REPLY + body.length).order(ByteOrder.LITTLE_ENDIAN);
    reply.put(bytes, 0, OLD_REPLY).put(body).putInt(0, reply.capacity());
    return new WireMessage(reply.array());
  }

  private ByteBuffer header() {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns whether it is an OP_MSG; the first greeting of a connection has an older form. */
  boolean isMessage() {
    return header().getInt(12) == OP_MSG;
  }

  /**
   * Returns the command or answer, including the documents that were sent in sections of their own.
   */
  BsonDocument document() {
    ByteBuffer rest = header();
    if (!isMessage()) {
      return decode(rest.position(OLD_REPLY));
    }
    rest.position(HEADER + Integer.BYTES);
    BsonDocument document = new BsonDocument();
    while (rest.hasRemaining()) {
      if (rest.get() == BODY) {
        document.putAll(decode(rest));
      } else {
        int end = rest.position() + rest.getInt();
        StringBuilder name = new StringBuilder();
        for (byte c = rest.get(); c != 0; c = rest.get()) {
          name.append((char) c);
        }
        BsonArray documents = new BsonArray();
        while (rest.position() < end) {
          documents.add(decode(rest));
        }
        document.append(name.toString(), documents);
      }
    }
    return document;
  }

  private static BsonDocument decode(ByteBuffer from) {
    int length = from.getInt(from.position());
    ByteBuffer one = from.slice(from.position(), length).order(ByteOrder.LITTLE_ENDIAN);
    from.position(from.position() + length);
    try (BsonBinaryReader reader = new BsonBinaryReader(one)) {
      return new BsonDocumentCodec().decode(reader, DecoderContext.builder().build());
    }
  }

  private static byte[] encode(BsonDocument document) {
    try (BasicOutputBuffer buffer = new BasicOutputBuffer();
        BsonBinaryWriter writer = new BsonBinaryWriter(buffer)) {
      new BsonDocumentCodec().encode(writer, document, EncoderContext.builder().build());
      return buffer.toByteArray();
    }
  }

  @Override
  public String toString() {
    return isMessage() ? document().toJson() : new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
