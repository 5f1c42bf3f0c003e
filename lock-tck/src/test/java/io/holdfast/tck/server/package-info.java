@NullMarked
package io.holdfast.tck.server;

import org.jspecify.annotations.NullMarked;
