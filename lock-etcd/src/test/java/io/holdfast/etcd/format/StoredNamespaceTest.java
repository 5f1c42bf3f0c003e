package io.holdfast.etcd.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.NamespaceWish;
import io.holdfast.spi.support.NamespaceText;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class StoredNamespaceTest {

  /** The revisions of 83 minutes, if there was one in each microsecond. */
  private static final long COUNTED_FAR = 5_000_000_000L;

  private static StoredNamespace madeAt(long revision) {
    String value =
        StoredNamespace.encode(NamespaceWish.NONE.orDefaults(), revision)
            .toString(StandardCharsets.UTF_8);
    NamespaceText text = NamespaceText.parse(value);
    return new StoredNamespace(revision + 1, text.settings(), text.clockMicros());
  }

  /** It is made again at once, after fewer microseconds than the lost cluster had revisions. */
  @Test
  void numbersRiseWhenAClusterThatHasCountedFarIsLost() {
    StoredNamespace lost = madeAt(COUNTED_FAR);
    long before = lost.number(COUNTED_FAR + 2);

    StoredNamespace again = madeAt(1);

    assertThat(again.number(10)).isGreaterThan(before);
  }

  @Test
  void theRevisionIsFoundAgainInANumber() {
    StoredNamespace namespace = madeAt(COUNTED_FAR);

    assertThat(namespace.createRevision(namespace.number(COUNTED_FAR + 7)))
        .isEqualTo(COUNTED_FAR + 7);
  }
}
