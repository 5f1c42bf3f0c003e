package io.holdfast.election;

import io.holdfast.FencingToken;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import java.time.Instant;

/**
 * The leader of an election.
 *
 * @param term the number of its term; that of a later leader is greater. A leader whose lock was
 *     passed on inside its process may send a token that is greater by a local part
 * @param process the identity that the leader's process has given itself
 * @param why the reason that it gave, possibly empty
 * @param payload the bytes that it publishes, such as its address
 * @param since when it was elected, by the store's clock; meant for people, not for decisions
 */
public record Leader(
    FencingToken term, ProcessIdentity process, String why, Payload payload, Instant since) {}
