package io.holdfast.mongo.imitation;

import com.mongodb.spi.dns.DnsClient;
import com.mongodb.spi.dns.DnsClientProvider;
import com.mongodb.spi.dns.DnsException;
import com.mongodb.spi.dns.InetAddressResolver;
import com.mongodb.spi.dns.InetAddressResolverProvider;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * DNS for the driver in the tests. It returns the records that were added here, and the address of
 * this machine for each host of the zone {@code holdfast.test}.
 */
public final class TestZone {

  private static final String ZONE = ".holdfast.test";
  private static final Map<String, String> RECORDS = new ConcurrentHashMap<>();

  private TestZone() {}

  public static void add(String name, String type, String data) {
    RECORDS.put(type + " " + name, data);
  }

  public static void clear() {
    RECORDS.clear();
  }

  private static List<String> lookUp(String name, String type) {
    String data = RECORDS.get(type + " " + name);
    if (data == null && type.equals("SRV")) {
      throw new DnsException("There is no SRV of " + name, new UnknownHostException(name));
    }
    return data == null ? List.of() : List.of(data);
  }

  /** Found by the driver. */
  public static final class Records implements DnsClientProvider {
    @Override
    public DnsClient create() {
      return TestZone::lookUp;
    }
  }

  /** Found by the driver. */
  public static final class Hosts implements InetAddressResolverProvider {
    @Override
    public InetAddressResolver create() {
      return host -> List.of(InetAddress.getAllByName(host.endsWith(ZONE) ? "127.0.0.1" : host));
    }
  }
}
