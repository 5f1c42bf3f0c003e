package io.holdfast.engine;

/** Stub. */
public interface Seam {}
