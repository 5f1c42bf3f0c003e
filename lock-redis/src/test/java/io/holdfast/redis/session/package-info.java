/** What sessions are told, and the settings of the namespace that they are opened in. */
@NullMarked
package io.holdfast.redis.session;

import org.jspecify.annotations.NullMarked;
