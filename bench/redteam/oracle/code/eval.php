// Evaluates vulnerable statements with PHP: one line of JSON in, the effect out. Each judgement has a
// separate process. Functions that leave the interpreter are disabled: stubs of their names record a call.
namespace {
    function sallyportReached(): never
    {
        fwrite($GLOBALS['sallyportAnswer'], 'effective');
        posix_kill(posix_getpid(), 9);
        exit;
    }
    foreach (explode(',', ini_get('disable_functions')) as $name) {
        if ($name !== '' && !function_exists($name)) eval("function $name(...\$a) { sallyportReached(); }");
    }
    function discount(...$given) { return 0; }

    function sallyportJudge(array $case): void
    {
        $config = ['secret' => bin2hex(random_bytes(12))];
        $value = $case['values'][0];
        $code = match ($case['context']) {
            'expression' => "return $value;",
            'argument' => "return discount($value);",
            'string, single quotes' => "return discount('$value');",
            'string, double quotes' => "return discount(\"$value\");",
            'statement' => $value,
        };
        $secret = $config['secret'];
        ob_start();
        try {
            $shown = eval($code);
            $text = ob_get_clean() . print_r($shown, true);
            $said = str_contains($text, $secret) ? 'effective' : 'inert';
        } catch (Throwable) {
            $said = 'error';
        }
        fwrite($GLOBALS['sallyportAnswer'], $said);
        posix_kill(posix_getpid(), 9);
    }

    error_reporting(0);
    fwrite(STDOUT, "ready\n");
    while (($line = fgets(STDIN)) !== false) {
        $case = json_decode($line, true);
        $pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        $pid = pcntl_fork();
        if ($pid === 0) {
            pcntl_alarm(2);
            fclose($pair[0]);
            $sallyportAnswer = $pair[1];
            ob_start();
            sallyportJudge($case);
        }
        fclose($pair[1]);
        $said = stream_get_contents($pair[0]);
        fclose($pair[0]);
        pcntl_waitpid($pid, $status);
        fwrite(STDOUT, ($said === '' || $said === false ? 'error' : $said) . "\n");
    }
}
