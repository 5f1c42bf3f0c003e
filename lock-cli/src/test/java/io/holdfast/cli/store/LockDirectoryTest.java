package io.holdfast.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LockDirectoryTest {

  @ParameterizedTest
  @CsvSource({
    "rwxrwxrwx, true, rw-rw-rw-",
    "rwxrwx---, true, rw-rw----",
    "rwxr-xr-x, true, rw-------",
    // The maker's group: its members are to the directory like everybody else.
    "rwxrwxrwx, false, rw-rw-rw-",
    "rwxr-xrwx, false, rw-rw-rw-",
    "rwxrwx---, false, rw-------",
  })
  void whoMayWriteInTheDirectoryMayWriteTheLockFile(
      String directory, boolean hasDirectorysGroup, String file) {
    assertThat(
            LockDirectory.permissions(
                PosixFilePermissions.fromString(directory), hasDirectorysGroup))
        .isEqualTo(PosixFilePermissions.fromString(file));
  }
}
