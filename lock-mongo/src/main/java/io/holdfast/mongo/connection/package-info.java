/**
 * Connections to MongoDB, and how a verb sends commands over them; internal. {@code Connection} is
 * a client of the driver, and {@code Connections} are those of one backend. A {@code CommandSender}
 * sends the commands of one verb within its deadline. The meaning of the errors is in {@code
 * MongoErrors}.
 *
 * <p>Depends on no other package of this adapter.
 */
@NullMarked
package io.holdfast.mongo.connection;

import org.jspecify.annotations.NullMarked;
