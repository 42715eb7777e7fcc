<?php
// Values that PHP makes objects of. Any class can be loaded: each is a canary.

final class Reached
{
    public static bool $yes = false;
}

class Canary
{
    public function __wakeup() { Reached::$yes = true; }
    public function __unserialize(array $data): void { Reached::$yes = true; }
    public function __destruct() { Reached::$yes = true; }
    public function __toString(): string { Reached::$yes = true; return ''; }
    public function __call($name, $arguments) { Reached::$yes = true; }
}

spl_autoload_register(function (string $name): void {
    class_alias('Canary', $name);
});

$read = [
    'text' => fn (string $text) => unserialize($text),
    'base64' => fn (string $text) => unserialize(base64_decode($text)),
    'percent signs' => fn (string $text) => unserialize(urldecode($text)),
    'member of a list' => fn (string $text) => unserialize('a:1:{s:4:"cart";' . $text . '}'),
    'base64, percent signs' => fn (string $text) => unserialize(base64_decode(urldecode($text))),
];

function judge(callable $read, string $text): string
{
    Reached::$yes = false;
    try {
        $value = @$read($text);
        $failed = $value === false && $text !== 'b:0;';
        unset($value);
        gc_collect_cycles();
        if (Reached::$yes) return 'effective';
        return $failed ? 'error' : 'inert';
    } catch (Throwable) {
        return Reached::$yes ? 'effective' : 'error';
    }
}

fwrite(STDOUT, "ready\n");
while (($line = fgets(STDIN)) !== false) {
    $question = json_decode($line, true);
    $one = $read[$question['context'] ?? ''] ?? null;
    $effect = $one === null ? 'error' : judge($one, $question['values'][0]);
    fwrite(STDOUT, $effect . "\n");
}
