<?php
/*
 * Fetches addresses with libcurl through a proxy on loopback, which learns where to go and goes
 * nowhere. A line of JSON with `url` is answered with `file:` for a local file that was read, with
 * `null` for an address that libcurl refuses, else with an empty list; the proxy knows the hosts.
 * The argument is the port of the proxy.
 */
error_reporting(0);
// Protocols that go by way of the proxy.
const PROTOCOLS = CURLPROTO_HTTP | CURLPROTO_HTTPS | CURLPROTO_FTP | CURLPROTO_FTPS | CURLPROTO_GOPHER
    | CURLPROTO_DICT | CURLPROTO_TELNET | CURLPROTO_IMAP | CURLPROTO_POP3 | CURLPROTO_SMTP | CURLPROTO_FILE;

$curl = curl_init();
echo "ready\n";
while (($line = fgets(STDIN)) !== false) {
    $url = json_decode($line, true)['url'];
    curl_reset($curl);
    try {
        curl_setopt_array($curl, [
            CURLOPT_PROXY => "http://127.0.0.1:$argv[1]",
            CURLOPT_NOPROXY => '',
            CURLOPT_PROTOCOLS => PROTOCOLS,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT_MS => 1000,
            CURLOPT_URL => $url,
        ]);
    } catch (Throwable) {
        echo "null\n";
        continue;
    }
    $body = curl_exec($curl);
    $isRefused = in_array(curl_errno($curl), [CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL], true);
    $isFile = is_string($body) && $body !== '' && curl_getinfo($curl, CURLINFO_SCHEME) === 'FILE';
    echo $isFile ? '["file:"]' : ($isRefused ? 'null' : '[]'), "\n";
}
