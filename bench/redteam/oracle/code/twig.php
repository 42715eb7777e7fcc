// Renders vulnerable templates with Twig: one line of JSON in, the effect out, a process for each.
namespace {
    function sallyportReached(): never
    {
        fwrite($GLOBALS['sallyportAnswer'], '{"reached":true}');
        posix_kill(posix_getpid(), 9);
        exit;
    }
    foreach (explode(',', ini_get('disable_functions')) as $name) {
        if ($name !== '' && !function_exists($name)) eval("function $name(...\$a) { sallyportReached(); }");
    }
    require 'Twig/autoload.php';
    error_reporting(0);

    function sallyportRender(string $source, string $secret): string
    {
        $twig = new Twig\Environment(new Twig\Loader\ArrayLoader(['page' => $source]), ['autoescape' => false]);
        return $twig->render('page', ['config' => ['secret_key' => $secret]]);
    }
    // Its classes are loaded once, before the processes part.
    sallyportRender('{{ [1]|map(v => v * 2)|join }}{% if 1 %}{{ "a"|upper }}{% endif %}', '');
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
            try {
                $said = ['shown' => substr(sallyportRender($case['source'], $case['secret']), 0, 8000)];
            } catch (Throwable) {
                $said = new stdClass();
            }
            fwrite($sallyportAnswer, json_encode($said, JSON_INVALID_UTF8_SUBSTITUTE));
            posix_kill(posix_getpid(), 9);
        }
        fclose($pair[1]);
        $said = stream_get_contents($pair[0]);
        fclose($pair[0]);
        pcntl_waitpid($pid, $status);
        fwrite(STDOUT, ($said === '' || $said === false ? '{}' : $said) . "\n");
    }
}
