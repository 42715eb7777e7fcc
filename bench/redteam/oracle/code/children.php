// What programs that judge in children share: their text is given to PHP in front of them.
namespace {
    /** Answers the question and ends the process. */
    function sallyportAnswer(string $said): never
    {
        fwrite($GLOBALS['sallyportAnswer'], $said);
        posix_kill(posix_getpid(), 9);
        exit;
    }

    /** Functions that leave the interpreter are disabled: stubs of their names answer. */
    function sallyportStubs(string $said): void
    {
        foreach (explode(',', ini_get('disable_functions')) as $name) {
            if ($name !== '' && !function_exists($name)) eval("function $name(...\$a) { sallyportAnswer('$said'); }");
        }
    }

    /**
     * Answers lines of JSON on standard input, a process for each: it may end, or change anything.
     * `$failed` is the answer of one that ended without.
     */
    function sallyportAnswerInChildren(callable $judge, string $failed): void
    {
        fwrite(STDOUT, "ready\n");
        while (($line = fgets(STDIN)) !== false) {
            $case = json_decode($line, true);
            $pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
            $pid = pcntl_fork();
            if ($pid === 0) {
                pcntl_alarm(2);
                fclose($pair[0]);
                $GLOBALS['sallyportAnswer'] = $pair[1];
                ob_start();
                sallyportAnswer($judge($case));
            }
            fclose($pair[1]);
            $said = stream_get_contents($pair[0]);
            fclose($pair[0]);
            pcntl_waitpid($pid, $status);
            fwrite(STDOUT, ($said === '' || $said === false ? $failed : $said) . "\n");
        }
    }
}
