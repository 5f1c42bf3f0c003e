package io.holdfast.benchmarks.process;

/** The main class of a bare JVM. */
final class Nothing {

  private Nothing() {}

  public static void main(String[] arguments) {}
}
