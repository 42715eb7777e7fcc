// Renders vulnerable templates with FreeMarker or Velocity: one line of JSON in, the effect out.
// What a template does outside of it is seen and refused by a security manager, which Java has up to version 23.

import freemarker.cache.StringTemplateLoader;
import freemarker.template.Configuration;
import freemarker.template.Template;
import freemarker.template.TemplateExceptionHandler;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.StringReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.security.Permission;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.velocity.VelocityContext;
import org.apache.velocity.app.VelocityEngine;
import org.apache.velocity.runtime.RuntimeConstants;
import org.apache.velocity.runtime.log.NullLogChute;
import org.apache.velocity.runtime.resource.loader.StringResourceLoader;

public class TemplateEngines {
    /** A member of JSON, as `JSON.stringify` writes it. */
    private static final Pattern MEMBER = Pattern.compile("\"(\\w+)\":\"((?:[^\"\\\\]|\\\\.)*+)\"");
    private static final int SHOWN_MAX = 8_000;

    interface Engine {
        void render(String source, String secret, Writer shown) throws Exception;
    }

    public static void main(String[] args) throws Exception {
        PrintStream out = System.out;
        System.setOut(new PrintStream(PrintStream.nullOutputStream()));
        Engine engine = args[0].equals("velocity") ? velocity() : freemarker();
        Watch watch = new Watch();
        System.setSecurityManager(watch);
        // What is loaded once is loaded before anything is watched.
        engine.render("${user.name} ${user.class}", "", new Shown());
        out.println("ready");
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Map<String, String> question = membersOf(line);
            Shown shown = new Shown();
            boolean hasFailed = false;
            watch.begin();
            try {
                engine.render(question.get("source"), question.get("secret"), shown);
            } catch (Throwable failure) {
                // An exhausted memory or stack is a failure of the template too.
                hasFailed = true;
            }
            boolean isReached = watch.end();
            out.println(isReached ? "{\"reached\":true}" : hasFailed ? "{}" : "{\"shown\":" + quoted(shown) + "}");
        }
    }

    private static Engine freemarker() {
        Configuration settings = new Configuration(Configuration.VERSION_2_3_31);
        settings.setTemplateExceptionHandler(TemplateExceptionHandler.RETHROW_HANDLER);
        settings.setLogTemplateExceptions(false);
        // Both `<#if>` and `[#if]`.
        settings.setTagSyntax(Configuration.AUTO_DETECT_TAG_SYNTAX);
        settings.setNumberFormat("computer");
        StringTemplateLoader loader = new StringTemplateLoader();
        settings.setTemplateLoader(loader);
        return (source, secret, shown) -> {
            loader.putTemplate("settings.ftl", "key=" + secret);
            settings.clearTemplateCache();
            new Template("page", new StringReader(source), settings).process(given(secret), shown);
        };
    }

    private static Engine velocity() {
        VelocityEngine engine = new VelocityEngine();
        engine.setProperty(RuntimeConstants.RUNTIME_LOG_LOGSYSTEM_CLASS, NullLogChute.class.getName());
        engine.setProperty(RuntimeConstants.VM_PERM_INLINE_LOCAL, "true");
        engine.setProperty(RuntimeConstants.RESOURCE_LOADER, "string");
        engine.setProperty("string.resource.loader.class", StringResourceLoader.class.getName());
        engine.init();
        return (source, secret, shown) -> {
            StringResourceLoader.getRepository().putStringResource("settings.vm", "key=" + secret);
            Map<String, Object> model = given(secret);
            model.put("class", new ClassTool(Object.class));
            engine.evaluate(new VelocityContext(model), shown, "page", source);
        };
    }

    /** What the application gives to its templates. */
    private static Map<String, Object> given(String secret) {
        Map<String, Object> model = new HashMap<>();
        model.put("config", new HashMap<>(Map.of("secret_key", secret)));
        model.put("user", new User());
        return model;
    }

    public static class User {
        public String getName() {
            return "Ann";
        }
    }

    /** The part of Velocity's tools by that name which gives classes. */
    public static class ClassTool {
        private final Class<?> type;

        ClassTool(Class<?> type) {
            this.type = type;
        }

        public ClassTool inspect(String name) throws ClassNotFoundException {
            return new ClassTool(Class.forName(name));
        }

        public ClassTool inspect(Object one) {
            return new ClassTool(one.getClass());
        }

        public Class<?> getType() {
            return type;
        }

        @Override
        public String toString() {
            return type.toString();
        }
    }

    /** The first characters of a page; one that goes on and on is stopped. */
    private static class Shown extends Writer {
        private final StringBuilder text = new StringBuilder();

        @Override
        public void write(char[] from, int start, int length) throws IOException {
            if (text.length() > SHOWN_MAX * 8) throw new IOException("too long");
            text.append(from, start, length);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}

        @Override
        public String toString() {
            return text.substring(0, Math.min(text.length(), SHOWN_MAX));
        }
    }

    /** Sees and refuses what leaves the machine of a template, while one is rendered. */
    private static class Watch extends SecurityManager {
        private static final String JAVA = System.getProperty("java.home");
        private boolean isOn;
        private boolean isReached;

        void begin() {
            isReached = false;
            isOn = true;
        }

        boolean end() {
            isOn = false;
            return isReached;
        }

        private void reached(String what) {
            if (!isOn) return;
            isReached = true;
            throw new SecurityException(what);
        }

        @Override
        public void checkExec(String command) {
            reached(command);
        }

        @Override
        public void checkRead(String file) {
            // Classes are still loaded.
            if (!file.startsWith(JAVA) && !file.endsWith(".jar")) reached(file);
        }

        @Override
        public void checkWrite(String file) {
            reached(file);
        }

        @Override
        public void checkDelete(String file) {
            reached(file);
        }

        @Override
        public void checkConnect(String host, int port) {
            reached(host);
        }

        @Override
        public void checkListen(int port) {
            reached("listen");
        }

        @Override
        public void checkExit(int status) {
            reached("exit");
        }

        @Override
        public void checkPropertiesAccess() {
            reached("properties");
        }

        @Override
        public void checkPermission(Permission permission) {
            String name = permission.getName();
            boolean isOurs = name.startsWith("getenv.") || name.startsWith("loadLibrary.");
            if (isOurs || name.equals("setSecurityManager") || name.equals("setIO")) reached(name);
        }
    }

    private static Map<String, String> membersOf(String line) {
        Map<String, String> members = new HashMap<>();
        Matcher matcher = MEMBER.matcher(line);
        while (matcher.find()) members.put(matcher.group(1), unescaped(matcher.group(2)));
        return members;
    }

    private static String unescaped(String text) {
        StringBuilder all = new StringBuilder();
        for (int at = 0; at < text.length(); at++) {
            char one = text.charAt(at);
            if (one != '\\') {
                all.append(one);
                continue;
            }
            char kind = text.charAt(++at);
            int control = "bfnrt".indexOf(kind);
            if (kind == 'u') {
                all.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
                at += 4;
            } else all.append(control < 0 ? kind : "\b\f\n\r\t".charAt(control));
        }
        return all.toString();
    }

    /** As JSON, in ASCII. */
    private static String quoted(Object shown) {
        StringBuilder all = new StringBuilder("\"");
        for (char one : shown.toString().toCharArray()) {
            boolean isPlain = one >= ' ' && one < 127 && one != '"' && one != '\\';
            all.append(isPlain ? String.valueOf(one) : String.format("\\u%04x", (int) one));
        }
        return all.append('"').toString();
    }
}
