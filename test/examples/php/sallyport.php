<?php
/**
 * Lets Sallyport look at each request before a script sees it. In php.ini or a pool of PHP-FPM:
 *
 *     auto_prepend_file = /srv/app/sallyport.php
 *     env[SALLYPORT_KEY] = sp_live_...
 *
 * PHP 8.0 or newer with its curl extension. To try it:
 * SALLYPORT_KEY=... php -d auto_prepend_file=$PWD/sallyport.php -S 127.0.0.1:8081 -t .
 */

declare(strict_types=1);

namespace Sallyport;

/** Sallyport takes 1 MiB; the other parts of the request need some of it. */
const BODY_BYTES_MAX = 900_000;
/** Sent in a form of their own, or not at all. All other headers are screened. */
const HANDLED_APART = ['content-length', 'cookie', 'x-forwarded-for'];
/** These hold the secret of a client, as long as that is a plain token. */
const SECRET_HEADERS = ['authorization', 'proxy-authorization', 'x-api-key', 'api-key', 'apikey',
    'x-auth-token', 'x-access-token', 'x-csrf-token', 'x-xsrf-token', 'csrf-token',
    'x-amz-security-token'];
/** With the name of its scheme in front, or without. */
const TOKEN = '~^([A-Za-z][A-Za-z0-9-]{0,20} {1,4})?[A-Za-z0-9._\~+/-]++=*$~D';

(static function (): void {
    try {
        [$text, $whole] = membersOf($_SERVER);
        [$status, $answer] = ask($text);
        $decision = $answer['decision'] ?? '';
        $id = (string) ($answer['id'] ?? '');
        $isSane = preg_match('/^[A-Za-z0-9-]{1,64}$/D', $id) === 1;
        $reason = json_encode($answer['detail'] ?? '', JSON_UNESCAPED_SLASHES);
        if ($status === 403 && $decision === 'block' && $isSane) {
            // The reason is for the log: an attacker gets the id only.
            error_log("sallyport: blocked $id: $reason");
            refuse(403, "This request was refused. Id: $id\n");
        }
        if ($status !== 200 || $decision !== 'allow') {
            throw new \RuntimeException("answer $status: $reason");
        }
        if (!$whole) {
            throw new \RuntimeException('the body is too large to be looked at whole');
        }
    } catch (\Throwable $error) {
        error_log('sallyport: not screened: ' . $error->getMessage());
        if ((getenv('SALLYPORT_ON_OUTAGE') ?: 'allow') === 'block') {
            refuse(503, "This request cannot be checked now. Try again.\n");
        }
    }
})();

function refuse(int $status, string $text): never
{
    http_response_code($status);
    header('content-type: text/plain; charset=utf-8');
    header('cache-control: no-store');
    exit($text);
}

/** Status and JSON of the answer. PHP forgets everything between requests, connections too. */
function ask(string $text): array
{
    $url = rtrim(getenv('SALLYPORT_URL') ?: 'http://127.0.0.1:8080', '/');
    $timeLimitMs = (int) (getenv('SALLYPORT_TIMEOUT_MS') ?: 150);
    $call = curl_init("$url/control");
    curl_setopt_array($call, [
        CURLOPT_POSTFIELDS => $text,
        CURLOPT_HTTPHEADER => [
            'content-type: application/json',
            'x-api-key: ' . getenv('SALLYPORT_KEY'),
            "x-deadline-ms: $timeLimitMs",
            // Else curl asks for leave before it sends a long body.
            'expect:',
        ],
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT_MS => $timeLimitMs,
        // Without it, name resolution could not be cut short below a second.
        CURLOPT_NOSIGNAL => true,
    ]);
    $said = curl_exec($call);
    if ($said === false) {
        throw new \RuntimeException(curl_error($call));
    }
    $answer = json_decode($said, true);
    return [curl_getinfo($call, CURLINFO_RESPONSE_CODE), is_array($answer) ? $answer : []];
}

/** The request as the text of a JSON object, and whether all of it is in there. */
function membersOf(array $server): array
{
    $members = [];
    $add = static function (string $name, string $value) use (&$members): void {
        $members[$name][] = $value;
    };
    $add('method', $server['REQUEST_METHOD']);
    $add('path', explode('?', $server['REQUEST_URI'], 2)[0]);
    foreach (getallheaders() as $header => $value) {
        $name = strtolower((string) $header);
        if (!in_array($name, HANDLED_APART, true)) {
            addHeader($add, $name, $value);
        }
    }
    $chain = [$server['HTTP_X_FORWARDED_FOR'] ?? '', $server['REMOTE_ADDR'] ?? ''];
    $add('header.x-forwarded-for', implode(', ', array_filter($chain)));
    foreach (explode(';', $server['HTTP_COOKIE'] ?? '') as $pair) {
        if (trim($pair) !== '') {
            [$name, $value] = explode('=', trim($pair), 2) + [1 => ''];
            $add("cookie.$name", $value);
        }
    }
    // $_GET has lost all but the last of a repeated name.
    addForm($add, 'query.', $server['QUERY_STRING'] ?? '');

    $raw = (string) file_get_contents('php://input', false, null, 0, BODY_BYTES_MAX + 1);
    $document = addBody($add, substr($raw, 0, BODY_BYTES_MAX), $server['CONTENT_TYPE'] ?? '');
    $flat = array_map(static fn ($found) => count($found) === 1 ? $found[0] : $found, $members);
    $text = json_encode($flat, JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR);
    if ($document !== null) {
        // As it came: to write it anew would lose the first of two members of one name.
        $text = substr($text, 0, -1) . ",\"body\":$document}";
    }
    return [$text, strlen($raw) <= BODY_BYTES_MAX];
}

/** Adds a header whole, but of a secret no plain token, and of Basic the user's name. */
function addHeader(callable $add, string $name, string $value): void
{
    if (in_array($name, SECRET_HEADERS, true)) {
        if (preg_match('/^basic +(.*)$/i', $value, $found) === 1) {
            $add("header.$name.user", explode(':', base64_decode($found[1]), 2)[0]);
        }
        if (preg_match(TOKEN, $value) === 1) {
            return;
        }
    }
    $add("header.$name", $value);
}

/** Adds a body as its type says that it will be read. JSON is given back instead. */
function addBody(callable $add, string $raw, string $contentType): ?string
{
    $type = strtolower(trim(explode(';', $contentType, 2)[0]));
    // PHP has read the multipart body of a POST already, and nothing of it is left.
    if ($type === 'multipart/form-data' && $raw === '') {
        addValues($add, 'body', $_POST);
        foreach ($_FILES as $field => $file) {
            addValues($add, "body.$field.filename", $file['full_path'] ?? $file['name']);
        }
    } elseif ($type === 'application/x-www-form-urlencoded') {
        addForm($add, 'body.', $raw);
    } elseif ($raw !== '') {
        if (preg_match('~[/+]json$~', $type) && json_decode($raw) !== null) {
            return $raw;
        }
        $add('body', $raw);
    }
    return null;
}

function addValues(callable $add, string $name, mixed $value): void
{
    if (!is_array($value)) {
        $add($name, (string) $value);
        return;
    }
    foreach ($value as $key => $inner) {
        addValues($add, "$name.$key", $inner);
    }
}

function addForm(callable $add, string $prefix, string $text): void
{
    foreach (array_filter(explode('&', $text), 'strlen') as $pair) {
        [$name, $value] = explode('=', $pair, 2) + [1 => ''];
        $add($prefix . decoded($name), decoded($value));
    }
}

/** Bytes that are no text stay as they are: they are evidence. */
function decoded(string $text): string
{
    $plain = urldecode($text);
    return preg_match('//u', $plain) === 1 ? $plain : $text;
}
