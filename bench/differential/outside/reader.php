<?php
// Answers each request with every string that PHP hands to a script.
$seen = [];
function see(string $where, $value, int $depth = 0): void {
    global $seen;
    if (is_string($value)) {
        $seen[] = [$where, $value];
    } elseif ((is_array($value) || is_object($value)) && $depth < 200) {
        foreach ((array) $value as $name => $inner) {
            // PHP writes an underscore for a dot, a space and an open bracket in a name.
            foreach (explode('_', (string) $name) as $piece) $seen[] = ["$where name", $piece];
            see($where, $inner, $depth + 1);
        }
    }
}
see('method', $_SERVER['REQUEST_METHOD']);
see('url', $_SERVER['REQUEST_URI']);
foreach (explode('/', urldecode(parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH) ?: '')) as $part) {
    see('url', $part);
}
see('query', $_GET);
see('cookie', $_COOKIE);
see('body', $_POST);
foreach ($_SERVER as $name => $value) {
    if (str_starts_with($name, 'HTTP_')) {
        $header = strtolower(strtr(substr($name, 5), '_', '-'));
        see("header $header", $value);
    }
}
see('header content-type', $_SERVER['CONTENT_TYPE'] ?? '');
see('user', $_SERVER['PHP_AUTH_USER'] ?? '');
foreach ($_FILES as $field => $file) {
    see('body name', (string) $field);
    see('filename', $file['name']);
    see('filename', $file['full_path'] ?? '');
    see('file type', $file['type']);
    foreach ((array) $file['tmp_name'] as $path) {
        if (is_string($path) && $path !== '') see('file', (string) file_get_contents($path));
    }
}
$input = (string) file_get_contents('php://input');
see('raw', $input);
$json = json_decode($input);
if ($json !== null) see('raw json', $json);
header('content-type: application/json');
echo json_encode($seen, JSON_INVALID_UTF8_SUBSTITUTE | JSON_PARTIAL_OUTPUT_ON_ERROR, 1024);
