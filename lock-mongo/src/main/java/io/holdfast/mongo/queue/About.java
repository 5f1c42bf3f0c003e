package io.holdfast.mongo.queue;

import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;

/**
 * What people read about a request.
 *
 * @param process who asks
 * @param why the reason, possibly empty
 * @param payload what is published while it holds the lock
 */
record About(ProcessIdentity process, String why, Payload payload) {}
