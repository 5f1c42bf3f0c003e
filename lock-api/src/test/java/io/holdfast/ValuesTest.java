package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.error.BadRequestException;
import io.holdfast.record.RequestId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ValuesTest {

  @ParameterizedTest
  @ValueSource(strings = {"", "a\nb", "\u0000", "a\u007f", "\u0085", "\ud800", "a\udc00b"})
  void aNameThatIsEmptyIllFormedOrHasControlCharactersIsRefused(String name) {
    assertThatThrownBy(() -> new LockName(name)).isInstanceOf(BadRequestException.class);
  }

  @Test
  void aNameHasAtMost512BytesNotCharacters() {
    assertThat(new LockName("é".repeat(256)).bytes()).hasSize(512);
    assertThatThrownBy(() -> new LockName("é".repeat(257)))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("514");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "a", "\u007f", "\u0080", "\u07ff", "\u0800", "\uffff", "a\ud83d\ude00é€"})
  void aTextHasAsManyBytesAsItsUtf8Form(String text) {
    assertThat(LockName.utf8Length("A text", text))
        .isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
    assertThat(LockName.utf8("A text", text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"\ud800", "a\udc00b", "\ud800\ud800", "\udc00\ud800", "\ud83d\ude00\ud83d"})
  void aLoneSurrogateIsRefusedWhereverItStands(String text) {
    assertThatThrownBy(() -> LockName.utf8("A text", text)).isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> AcquireOptions.forever().why(text))
        .isInstanceOf(BadRequestException.class);
  }

  @Test
  void namesAreOrderedByTheirUtf8Bytes() {
    LockName supplementary = new LockName("\ud83d\ude00");
    LockName privateUse = new LockName("\uffee");
    // UTF-16 would say the opposite.
    assertThat(List.of(privateUse, supplementary)).isSorted();
    assertThat(new LockName("a")).isLessThan(new LockName("a "));
    List<String> parts = List.of("a", "é", "€", "\ud7ff", "\ue000", "\uffee", "😀", "😁", "𐀀");
    for (String one : parts) {
      for (String other : parts) {
        requireOrderOfBytes(new LockName(one), new LockName(other));
        requireOrderOfBytes(new LockName("b" + one + "z"), new LockName("b" + other));
      }
    }
  }

  private static void requireOrderOfBytes(LockName one, LockName other) {
    assertThat(Integer.signum(one.compareTo(other)))
        .as("%s and %s", one, other)
        .isEqualTo(Integer.signum(Arrays.compareUnsigned(one.bytes(), other.bytes())));
  }

  @Test
  void namesAreNeitherFoldedNorNormalised() {
    assertThat(new LockName("é")).isNotEqualTo(new LockName("e\u0301"));
    assertThat(new LockName("A")).isNotEqualTo(new LockName("a"));
    assertThat(new LockName("a ")).isNotEqualTo(new LockName("a"));
  }

  @Test
  void aTokenIsTheNumberTimes1024PlusTheLocalPart() {
    assertThat(FencingToken.of(3, 5).value()).isEqualTo(3 * 1024 + 5);
    assertThat(FencingToken.of(3, 5).number()).isEqualTo(3);
    assertThat(FencingToken.of(4, 0)).isGreaterThan(FencingToken.of(3, 1023));
    assertThatThrownBy(() -> FencingToken.of(Long.MAX_VALUE / 1000, 0))
        .isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> new FencingToken(0)).isInstanceOf(BadRequestException.class);
  }

  @Test
  void aSequencerIsReadFromTheRight() {
    Sequencer sequencer =
        new Sequencer(new LockName("a:b:7"), LockMode.EXCLUSIVE, new FencingToken(42));
    assertThat(sequencer).hasToString("a:b:7:exclusive:42");
    assertThat(Sequencer.parse("a:b:7:exclusive:42")).isEqualTo(sequencer);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a",
        "a:exclusive",
        "a:exclusive:",
        "a:exclusive:x",
        "a:mine:1",
        "a:exclusive:0",
        ":exclusive:1"
      })
  void whatIsNoSequencerIsRefused(String text) {
    assertThatThrownBy(() -> Sequencer.parse(text)).isInstanceOf(BadRequestException.class);
  }

  @Test
  void aRequestTellsItsSessionInItsText() {
    RequestId request = new RequestId(SessionId.fresh(), 7);
    assertThat(request.toString()).startsWith(request.session().value()).endsWith("-7");
    assertThat(RequestId.parse(request.toString())).isEqualTo(request);
  }

  @Test
  void sessionIdsAreNeverTheSame() {
    assertThat(SessionId.fresh()).isNotEqualTo(SessionId.fresh());
  }

  @Test
  void aPayloadIsCopiedAndBounded() {
    byte[] bytes = {1, 2, 3};
    Payload payload = Payload.of(bytes);
    bytes[0] = 9;
    assertThat(payload.bytes()).containsExactly(1, 2, 3);
    payload.bytes()[0] = 9;
    assertThat(payload).isEqualTo(Payload.of(new byte[] {1, 2, 3}));
    assertThat(Payload.of(new byte[4096]).bytes()).hasSize(4096);
    assertThatThrownBy(() -> Payload.of(new byte[4097])).isInstanceOf(BadRequestException.class);
  }

  @Test
  void optionsThatMakeNoSenseAreRefused() {
    assertThatThrownBy(() -> AcquireOptions.within(Duration.ofMillis(-1)))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("forever");
    assertThatThrownBy(() -> AcquireOptions.once().ttl(Duration.ZERO))
        .isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> AcquireOptions.once().why("x".repeat(513)))
        .isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> Holdfast.builder().heartbeat(Duration.ofSeconds(10)).connect("x:"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("half");
  }

  @Test
  void aUriThatNobodyTakesIsExplainedWithoutItsPassword() {
    assertThatThrownBy(() -> Holdfast.connect("redis://me:secret@host"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("lock-redis")
        .hasMessageNotContaining("secret");
  }
}
