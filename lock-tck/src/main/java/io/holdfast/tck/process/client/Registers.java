package io.holdfast.tck.process.client;

import static java.util.stream.Collectors.toUnmodifiableMap;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The fenced registers of a run, one for each lock. */
public record Registers(Map<String, FencedRegister> byLock) {

  public static Registers open(Path directory, List<String> locks) {
    return new Registers(
        locks.stream()
            .collect(
                toUnmodifiableMap(
                    lock -> lock, lock -> FencedRegister.open(directory.resolve(fileName(lock))))));
  }

  FencedRegister of(String lock) {
    return Optional.ofNullable(byLock.get(lock))
        .orElseThrow(() -> new IllegalArgumentException("Not a lock of this run: " + lock));
  }

  private static String fileName(String lock) {
    return URLEncoder.encode(lock, StandardCharsets.UTF_8) + ".register";
  }
}
