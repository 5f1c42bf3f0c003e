package io.holdfast.benchmarks.process;

/** What a bare JVM runs. */
final class Nothing {

  private Nothing() {}

  public static void main(String[] arguments) {}
}
