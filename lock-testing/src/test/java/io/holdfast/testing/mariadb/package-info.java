@NullMarked
package io.holdfast.testing.mariadb;

import org.jspecify.annotations.NullMarked;
