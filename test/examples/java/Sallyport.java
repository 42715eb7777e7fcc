import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lets Sallyport look at each request before a handler of the JDK's HTTP server sees it.
 *
 * <pre>context.getFilters().add(new Sallyport("http://127.0.0.1:8080", key, "allow", 150));</pre>
 *
 * Java 17 or newer, without dependencies. In a servlet container, {@code screen} and
 * {@code membersOf} stay as they are, and a {@code jakarta.servlet.Filter} takes the place of this.
 * To try it: SALLYPORT_KEY=... java Sallyport.java
 */
public final class Sallyport extends Filter {
  private static final Logger log = Logger.getLogger("sallyport");
  /** Sallyport takes 1 MiB; the other parts of the request need some of it. */
  private static final int BODY_BYTES_MAX = 900_000;
  /** Sent in a form of their own, or not at all. All other headers are screened. */
  private static final Set<String> HANDLED_APART =
      Set.of("content-length", "cookie", "x-forwarded-for");
  /** These hold the secret of a client, as long as that is a plain token. */
  private static final Set<String> SECRET_HEADERS =
      Set.of(
          "authorization", "proxy-authorization", "x-api-key", "api-key", "apikey", "x-auth-token",
          "x-access-token", "x-csrf-token", "x-xsrf-token", "csrf-token", "x-amz-security-token");
  /** With the name of its scheme in front, or without. */
  private static final Pattern TOKEN =
      Pattern.compile("([A-Za-z][A-Za-z0-9-]{0,20} {1,4})?[A-Za-z0-9._~+/-]++=*");
  private static final Pattern BASIC = Pattern.compile("(?i)basic +(.*)");
  private static final Pattern DECISION = Pattern.compile("\"decision\":\"(allow|block)\"");
  private static final Pattern ID = Pattern.compile("\"id\":\"([A-Za-z0-9-]{1,64})\"");
  private static final Pattern DETAIL = Pattern.compile("\"detail\":\"((?:[^\"\\\\]|\\\\.)*)\"");

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final HttpRequest.Builder question;
  private final String onOutage;
  private final long timeLimitMs;

  public Sallyport(String url, String key, String onOutage, long timeLimitMs) {
    this.onOutage = onOutage;
    this.timeLimitMs = timeLimitMs;
    this.question =
        HttpRequest.newBuilder(URI.create(url.replaceAll("/+$", "") + "/control"))
            .header("content-type", "application/json")
            .header("x-api-key", key)
            .header("x-deadline-ms", String.valueOf(timeLimitMs));
  }

  @Override
  public String description() {
    return "screens requests with Sallyport";
  }

  @Override
  public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
    byte[] raw = exchange.getRequestBody().readNBytes(BODY_BYTES_MAX + 1);
    InputStream rest = exchange.getRequestBody();
    exchange.setStreams(new SequenceInputStream(new ByteArrayInputStream(raw), rest), null);
    boolean whole = raw.length <= BODY_BYTES_MAX;
    try {
      String blocked = screen(membersOf(exchange, raw));
      if (blocked != null) {
        refuse(exchange, 403, "This request was refused. Id: " + blocked + "\n");
        return;
      }
      if (!whole) throw new IOException("the body is too large to be looked at whole");
    } catch (IOException | RuntimeException error) {
      log.severe("not screened: " + error);
      if (onOutage.equals("block")) {
        refuse(exchange, 503, "This request cannot be checked now. Try again.\n");
        return;
      }
    }
    chain.doFilter(exchange);
  }

  /** The id of the block, or null when nothing was found. */
  private String screen(String members) throws IOException {
    HttpResponse<String> response = ask(members);
    String body = response.body();
    String decision = firstIn(DECISION, body);
    String id = firstIn(ID, body);
    if (response.statusCode() == 403 && "block".equals(decision) && id != null) {
      // The reason is for the log: an attacker gets the id only.
      log.warning("blocked " + id + ": " + firstIn(DETAIL, body));
      return id;
    }
    if (response.statusCode() == 200 && "allow".equals(decision)) return null;
    throw new IOException("answer " + response.statusCode() + ": " + firstIn(DETAIL, body));
  }

  /** The client keeps connections open; all of a question must be over within the time limit. */
  private HttpResponse<String> ask(String members) throws IOException {
    HttpRequest request =
        question.copy().POST(HttpRequest.BodyPublishers.ofString(members)).build();
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeLimitMs);
    for (boolean again = false; ; again = true) {
      CompletableFuture<HttpResponse<String>> answer =
          client.sendAsync(request, HttpResponse.BodyHandlers.ofString());
      try {
        return answer.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
      } catch (TimeoutException late) {
        answer.cancel(true);
        throw new IOException("no answer within " + timeLimitMs + " ms");
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted");
      } catch (ExecutionException failure) {
        Throwable cause = failure.getCause();
        // A connection that was kept open may be closed at the moment of its use.
        boolean mayBeStale = cause instanceof IOException && !(cause instanceof ConnectException);
        if (again || !mayBeStale) throw new IOException(cause);
      }
    }
  }

  private static String firstIn(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    return matcher.find() ? matcher.group(1) : null;
  }

  private static void refuse(HttpExchange exchange, int status, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("content-type", "text/plain; charset=utf-8");
    exchange.getResponseHeaders().set("cache-control", "no-store");
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  /** The request as the text of a JSON object. */
  static String membersOf(HttpExchange exchange, byte[] raw) {
    Map<String, List<String>> members = new LinkedHashMap<>();
    add(members, "method", exchange.getRequestMethod());
    add(members, "path", exchange.getRequestURI().getRawPath());
    exchange.getRequestHeaders().forEach(
        (header, values) -> {
          String name = header.toLowerCase(Locale.ROOT);
          if (HANDLED_APART.contains(name)) return;
          for (String value : values) addHeader(members, name, value);
          if (values.size() > 1) addHeader(members, name, String.join(", ", values));
        });
    List<String> chain = new ArrayList<>(headers(exchange, "x-forwarded-for"));
    chain.add(exchange.getRemoteAddress().getAddress().getHostAddress());
    add(members, "header.x-forwarded-for", String.join(", ", chain));
    for (String line : headers(exchange, "cookie")) {
      for (String pair : line.split(";")) {
        String[] parts = pair.strip().split("=", 2);
        if (!pair.isBlank()) add(members, "cookie." + parts[0], parts.length > 1 ? parts[1] : "");
      }
    }
    String query = exchange.getRequestURI().getRawQuery();
    if (query != null) addForm(members, "query.", query);
    String text = new String(raw, 0, Math.min(raw.length, BODY_BYTES_MAX), StandardCharsets.UTF_8);
    List<String> types = headers(exchange, "content-type");
    String type = types.isEmpty() ? "" : types.get(0).toLowerCase();
    if (type.startsWith("application/x-www-form-urlencoded")) addForm(members, "body.", text);
    // Java brings no reader of JSON or multipart: Sallyport reads them inside of the text.
    else if (!text.isEmpty()) add(members, "body", text);
    return json(members);
  }

  private static List<String> headers(HttpExchange exchange, String name) {
    return exchange.getRequestHeaders().getOrDefault(name, List.of());
  }

  private static void add(Map<String, List<String>> members, String name, String value) {
    members.computeIfAbsent(name, (unused) -> new ArrayList<>()).add(value);
  }

  /** Adds a header whole, but of a secret no plain token, and of Basic the user's name. */
  private static void addHeader(Map<String, List<String>> members, String name, String value) {
    if (SECRET_HEADERS.contains(name)) {
      Matcher basic = BASIC.matcher(value);
      if (basic.matches()) add(members, "header." + name + ".user", userOf(basic.group(1)));
      if (TOKEN.matcher(value).matches()) return;
    }
    add(members, "header." + name, value);
  }

  private static String userOf(String credentials) {
    try {
      byte[] plain = Base64.getMimeDecoder().decode(credentials);
      return new String(plain, StandardCharsets.UTF_8).split(":", 2)[0];
    } catch (IllegalArgumentException notBase64) {
      return "";
    }
  }

  private static void addForm(Map<String, List<String>> members, String prefix, String text) {
    for (String pair : text.split("&")) {
      int equals = pair.indexOf('=');
      String name = decoded(equals < 0 ? pair : pair.substring(0, equals));
      String value = equals < 0 ? "" : decoded(pair.substring(equals + 1));
      if (!pair.isEmpty()) add(members, prefix + name, value);
    }
  }

  /** Bytes that are no text stay as they are: they are evidence. */
  private static String decoded(String text) {
    try {
      String plain = URLDecoder.decode(text, StandardCharsets.UTF_8);
      return plain.indexOf('\uFFFD') < 0 ? plain : text;
    } catch (IllegalArgumentException notEncoded) {
      return text;
    }
  }

  private static String json(Map<String, List<String>> members) {
    StringBuilder out = new StringBuilder("{");
    members.forEach(
        (name, values) -> {
          out.append(out.length() > 1 ? "," : "").append(quoted(name)).append(':');
          if (values.size() == 1) {
            out.append(quoted(values.get(0)));
          } else {
            out.append('[');
            for (int i = 0; i < values.size(); i++) {
              out.append(i > 0 ? "," : "").append(quoted(values.get(i)));
            }
            out.append(']');
          }
        });
    return out.append('}').toString();
  }

  private static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\') out.append('\\').append(c);
      else if (c < ' ' || Character.isSurrogate(c)) out.append(String.format("\\u%04x", (int) c));
      else out.append(c);
    }
    return out.append('"').toString();
  }

  public static void main(String[] arguments) throws IOException {
    Map<String, String> settings = System.getenv();
    int port = Integer.parseInt(settings.getOrDefault("PORT", "8081"));
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
    server.setExecutor(Executors.newCachedThreadPool());
    // Says back what it was sent.
    var context =
        server.createContext(
            "/",
            (exchange) -> {
              byte[] sent = exchange.getRequestBody().readAllBytes();
              byte[] body = sent.length > 0 ? sent : "hello\n".getBytes(StandardCharsets.UTF_8);
              exchange.getResponseHeaders().set("content-type", "text/plain; charset=utf-8");
              exchange.sendResponseHeaders(200, body.length);
              exchange.getResponseBody().write(body);
              exchange.close();
            });
    context
        .getFilters()
        .add(
            new Sallyport(
                settings.getOrDefault("SALLYPORT_URL", "http://127.0.0.1:8080"),
                settings.get("SALLYPORT_KEY"),
                settings.getOrDefault("SALLYPORT_ON_OUTAGE", "allow"),
                Long.parseLong(settings.getOrDefault("SALLYPORT_TIMEOUT_MS", "150"))));
    server.start();
  }
}
