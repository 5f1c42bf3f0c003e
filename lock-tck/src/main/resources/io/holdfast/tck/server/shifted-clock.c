/*
 * Preloaded into a process, adds an offset to its wall clock. The offset, nanoseconds in the
 * machine's byte order, lies in the file that HOLDFAST_CLOCK names; whoever writes there steps the
 * clock of every process that maps it, forks included.
 *
 * The kernel is asked directly: looking up the C library's own functions may itself need the time.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define NANOS_PER_SECOND 1000000000LL

/* NULL before the constructor has run: others may run, and ask for the time, before it. */
static const int64_t *offset;

__attribute__((constructor)) static void map_offset(void) {
  const char *file = getenv("HOLDFAST_CLOCK");
  int fd = file == NULL ? -1 : open(file, O_RDONLY | O_CLOEXEC);
  void *mapped = mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, fd, 0);
  if (mapped == MAP_FAILED) {
    abort(); /* A test must not go on with the true clock. */
  }
  close(fd);
  offset = mapped;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int failed = (int)syscall(SYS_clock_gettime, clock, now);
  if (failed == 0 && offset != NULL
      && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    int64_t shift = __atomic_load_n(offset, __ATOMIC_RELAXED);
    int64_t nanos = now->tv_nsec + shift % NANOS_PER_SECOND;
    now->tv_sec += shift / NANOS_PER_SECOND;
    if (nanos < 0) {
      nanos += NANOS_PER_SECOND;
      now->tv_sec--;
    } else if (nanos >= NANOS_PER_SECOND) {
      nanos -= NANOS_PER_SECOND;
      now->tv_sec++;
    }
    now->tv_nsec = nanos;
  }
  return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec precise;
  int failed = clock_gettime(CLOCK_REALTIME, &precise);
  if (zone != NULL) {
    *(struct timezone *)zone = (struct timezone){0, 0};
  }
  if (failed == 0) {
    now->tv_sec = precise.tv_sec;
    now->tv_usec = precise.tv_nsec / 1000;
  }
  return failed;
}

time_t time(time_t *result) {
  struct timespec precise;
  if (clock_gettime(CLOCK_REALTIME, &precise) != 0) {
    return (time_t)-1;
  }
  if (result != NULL) {
    *result = precise.tv_sec;
  }
  return precise.tv_sec;
}

int timespec_get(struct timespec *now, int base) {
  return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, now) == 0 ? base : 0;
}
