<?php
/*
 * Opens and includes files as applications in PHP do. A line of JSON with `context` and `values` is
 * answered with `effective`, `inert` or `error`. It runs in dedicated namespaces, on a private
 * /tmp and /etc whose files remember when they were read, and each value in a child: included code
 * may end or hang it.
 */
error_reporting(0);
ini_set('display_errors', '0');
const SHOP = '/tmp/srv/www/shop';
const LIMIT = 0.5;
chdir(SHOP);

/** Reported to the parent: code of the value ran. */
function canary(...$_): string {
    fwrite($GLOBALS['reported'], 'c');
    return '';
}

// Disabled by the command line: what included code calls to go further.
foreach (['system', 'exec', 'passthru', 'shell_exec', 'popen', 'proc_open', 'phpinfo', 'mail'] as $name) {
    if (!function_exists($name)) eval("function $name(...\$a) { return canary(); }");
}

/** Any server of the attacker. */
class Remote {
    public $context;
    private string $code = '<?php canary(); ?>';
    public function stream_open(...$_): bool { return true; }
    public function stream_read($count): string {
        [$part, $this->code] = [substr($this->code, 0, $count), substr($this->code, $count)];
        return $part;
    }
    public function stream_eof(): bool { return $this->code === ''; }
    public function stream_stat(): array { return []; }
    public function stream_set_option(...$_): bool { return false; }
}
foreach (['http', 'https', 'ftp', 'ftps'] as $scheme) {
    if (in_array($scheme, stream_get_wrappers(), true)) stream_wrapper_unregister($scheme);
    stream_wrapper_register($scheme, 'Remote', STREAM_IS_URL);
}

$contexts = [
    'include' => fn ($v) => include SHOP . "/files/$v",
    'include with ending' => fn ($v) => include "files/$v.php",
    'include, whole' => fn ($v) => include $v,
    'include, whole, with ending' => fn ($v) => include "$v.php",
    'readfile' => fn ($v) => readfile("files/$v"),
    'file_get_contents, whole' => fn ($v) => file_get_contents($v),
    'each ../ removed' => fn ($v) => readfile('files/' . str_replace('../', '', $v)),
    'urldecode' => fn ($v) => str_contains($v, '../') ? null : readfile('files/' . urldecode($v)),
    'fopen in a folder' => fn ($v) => fgets(fopen(SHOP . "/files/user_ann/$v", 'r')),
    'include_once, http refused' => fn ($v) => str_starts_with($v, 'http') ? null : include_once $v,
    'require of a theme' => fn ($v) => require "$v/theme.php",
];

$canaries = array_merge(glob('/etc/*'), array_filter(
    iterator_to_array(new RecursiveIteratorIterator(new RecursiveDirectoryIterator(SHOP, 4096)), false),
    fn ($path) => !str_starts_with($path, SHOP . '/files/') && is_file($path),
));

function reset_reads(array $files): void {
    foreach ($files as $file) touch($file, 1, 1);
}

function was_read(array $files): bool {
    clearstatcache();
    foreach ($files as $file) if (fileatime($file) !== 1) return true;
    return false;
}

/** What the child reported before it ended, which it does in bounded time. */
function reported_by_child(callable $code, string $value): string {
    [$ours, $theirs] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    $child = pcntl_fork();
    if ($child === 0) {
        fclose($ours);
        $GLOBALS['reported'] = $theirs;
        // What it prints is no answer of ours.
        ob_start(fn () => '');
        try {
            $code($value);
        } catch (Throwable $error) {
            if ($error instanceof ValueError) fwrite($theirs, 'e');
        }
        exit(0);
    }
    fclose($theirs);
    $text = '';
    $end = microtime(true) + LIMIT;
    while (($left = $end - microtime(true)) > 0) {
        [$read, $write, $except] = [[$ours], null, null];
        stream_select($read, $write, $except, 0, (int) ($left * 1e6));
        if ($read === []) continue;
        $part = fread($ours, 100);
        if ($part === '' || $part === false) break;
        $text .= $part;
    }
    posix_kill($child, 9);
    pcntl_waitpid($child, $status);
    return $text;
}

reset_reads($canaries);
echo "ready\n";
while (($line = fgets(STDIN)) !== false) {
    ['context' => $context, 'values' => [$value]] = json_decode($line, true);
    $reported = reported_by_child($contexts[$context], $value);
    $read = was_read($canaries);
    if ($read) reset_reads($canaries);
    $isEffective = $read || str_contains($reported, 'c');
    echo $isEffective ? 'effective' : ($reported === '' ? 'inert' : 'error'), "\n";
}
