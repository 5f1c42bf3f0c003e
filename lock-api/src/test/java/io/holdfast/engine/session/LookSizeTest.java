package io.holdfast.engine.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LookSizeTest {

  @Test
  void aQueueThatCannotBeReadIsSoonAskedForAlone() {
    LookSize size = new LookSize();
    int looks = 0;
    for (; size.most() > 1; looks++) {
      size.cannotRead(size.most());
    }
    assertThat(looks).isLessThanOrEqualTo(10);
    size.cannotRead(1);
    assertThat(size.most()).isEqualTo(1);
  }

  @Test
  void fewRequestsAreHalvedFromTheirOwnNumber() {
    LookSize size = new LookSize();
    size.cannotRead(3);
    assertThat(size.most()).isEqualTo(1);
  }

  @Test
  void answersMakeItAsGreatAsBefore() {
    LookSize size = new LookSize();
    int most = size.most();
    size.cannotRead(most);
    size.answered();
    size.answered();
    assertThat(size.most()).isEqualTo(most);
  }
}
