package io.holdfast.etcd;

import io.holdfast.BadRequestException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code etcd://[USER:PASSWORD@]HOST[:PORT][,HOST[:PORT]…][/PREFIX]}, or {@code etcds://…} for TLS,
 * then possibly with {@code ?ca=FILE&cert=FILE&key=FILE&authority=NAME}.
 *
 * @param tls whether to encrypt
 * @param user who to log in as, and the password
 * @param members each as {@code HOST:PORT}
 * @param prefix what keys begin with
 * @param options what follows the question mark
 */
record EtcdUri(
    boolean tls,
    Optional<Login> user,
    List<String> members,
    String prefix,
    Map<String, String> options) {

  static final String SCHEME = "etcd://";
  static final String TLS_SCHEME = "etcds://";

  /** What keys begin with unless the URI says otherwise. */
  static final String PREFIX_DEFAULT = "holdfast";

  private static final String PORT_DEFAULT = "2379";
  private static final Set<String> OPTIONS = Set.of("ca", "cert", "key", "authority");
  private static final Pattern FORM =
      Pattern.compile("etcds?://(?:([^@/?#]*)@)?([^@/?#]+)(?:/([^?#]*))?(?:\\?([^#]*))?");
  private static final Pattern MEMBER =
      Pattern.compile("([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(?::([0-9]{1,5}))?");

  /** Who to log in as. */
  record Login(String name, String password) {
    /** Without the password. */
    @Override
    public String toString() {
      return name;
    }
  }

  static boolean isEtcd(String uri) {
    String lower = uri.toLowerCase(Locale.ROOT);
    return lower.startsWith(SCHEME) || lower.startsWith(TLS_SCHEME);
  }

  /**
   * Reads a URI.
   *
   * @throws BadRequestException if it is not well-formed; the message does not show it, since there
   *     may be a password in it
   */
  static EtcdUri parse(String uri) {
    int scheme = uri.indexOf(':');
    Matcher form =
        FORM.matcher(uri.substring(0, scheme).toLowerCase(Locale.ROOT) + uri.substring(scheme));
    if (!form.matches()) {
      throw malformed("it is not of that form");
    }
    List<String> members = new ArrayList<>();
    for (String text : form.group(2).split(",", -1)) {
      Matcher member = MEMBER.matcher(text);
      if (!member.matches()) {
        throw malformed("\"" + text + "\" is no host");
      }
      members.add(
          member.group(1) + ":" + Optional.ofNullable(member.group(2)).orElse(PORT_DEFAULT));
    }
    String path = Optional.ofNullable(form.group(3)).orElse("").replaceAll("/+$", "");
    return new EtcdUri(
        form.group().startsWith(TLS_SCHEME),
        Optional.ofNullable(form.group(1)).map(EtcdUri::login),
        List.copyOf(members),
        path.isEmpty() ? PREFIX_DEFAULT : path,
        options(
            Optional.ofNullable(form.group(4)).orElse(""), form.group().startsWith(TLS_SCHEME)));
  }

  private static Login login(String text) {
    int colon = text.indexOf(':');
    if (colon <= 0) {
      throw malformed("a user comes with a password, as in user:password@");
    }
    return new Login(decoded(text.substring(0, colon)), decoded(text.substring(colon + 1)));
  }

  private static Map<String, String> options(String text, boolean tls) {
    Map<String, String> options = new HashMap<>();
    for (String option : text.isEmpty() ? new String[0] : text.split("&", -1)) {
      int equals = option.indexOf('=');
      String name = equals < 0 ? option : option.substring(0, equals);
      if (!OPTIONS.contains(name) || equals < 0) {
        throw malformed("it knows the options ca, cert, key and authority, not \"" + name + "\"");
      }
      if (!tls) {
        throw malformed("the option " + name + " is for etcds://");
      }
      options.put(name, decoded(option.substring(equals + 1)));
    }
    if (options.containsKey("cert") != options.containsKey("key")) {
      throw malformed("cert and key come together");
    }
    return Map.copyOf(options);
  }

  private static String decoded(String text) {
    try {
      // A plus sign is one: only forms mean a space by it.
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw malformed("there is a % in it that begins no encoded character");
    }
  }

  private static BadRequestException malformed(String why) {
    return new BadRequestException(
        "The URI does not name an etcd cluster: %s. Give one such as etcd://host:2379,host:2379/prefix or etcds://user:password@host:2379/prefix?ca=FILE"
            .formatted(why));
  }

  /** Returns it without user, password and options. */
  String describe() {
    return "%s%s/%s".formatted(tls ? TLS_SCHEME : SCHEME, String.join(",", members), prefix);
  }
}
