package io.holdfast.mongo.namespace;

import static io.holdfast.mongo.connection.Documents.doc;
import static io.holdfast.mongo.connection.Documents.number;

import io.holdfast.mongo.connection.CollectionRole;
import io.holdfast.mongo.connection.CommandSender;
import io.holdfast.mongo.connection.Update;
import io.holdfast.spi.NamespaceSettings;
import java.util.Optional;
import org.bson.BsonDocument;

/**
 * The namespace of an earlier version, which is to become one of the present version. It keeps its
 * settings and its floor.
 */
public record FormerNamespace(NamespaceSettings settings, long floor) {

  private static final String PROTOCOL = "protocol";

  /**
   * Returns the namespace; empty if there is none.
   *
   * @throws io.holdfast.error.BadRequestException if it is of the present version
   * @throws io.holdfast.error.BackendUnusableException if it is of a version that is not known
   */
  public static Optional<FormerNamespace> find(CommandSender sender) {
    return Namespace.find(sender).stream()
        .findFirst()
        .map(document -> StoredNamespace.read(document, sender.describe()))
        .map(stored -> of(stored, sender.describe()));
  }

  private static FormerNamespace of(StoredNamespace stored, String where) {
    NamespaceSettings.requireOld(stored.settings().protocol(), Namespace.PROTOCOL, where);
    return new FormerNamespace(stored.settings(), stored.floor());
  }

  /** Makes it one of the present version; returns whether it still was one of this version. */
  public boolean replace(CommandSender sender) {
    return become(sender, settings.protocol());
  }

  /** Returns whether it has become one of the present version. */
  public boolean isReplaced(CommandSender sender) {
    return become(sender, Namespace.PROTOCOL);
  }

  private static boolean become(CommandSender sender, int from) {
    BsonDocument asRead = Namespace.KEY.clone().append(PROTOCOL, number((long) from));
    Update present =
        new Update(
            doc("$set", doc(PROTOCOL, number((long) Namespace.PROTOCOL)))
                .append("$inc", doc("sweeps", number(1L))),
            Namespace.FIELDS);
    return sender.change(CollectionRole.NAMESPACE, asRead, present).isPresent();
  }
}
