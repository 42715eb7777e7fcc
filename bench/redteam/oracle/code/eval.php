// Evaluates vulnerable expressions with PHP: one line of JSON in, the effect out.
namespace {
    sallyportStubs('effective');
    function discount(...$given) { return 0; }

    function sallyportJudge(array $case): string
    {
        $config = ['secret' => bin2hex(random_bytes(12))];
        $value = $case['values'][0];
        $code = match ($case['context']) {
            'expression' => "return $value;",
            'argument' => "return discount($value);",
            'string, single quotes' => "return discount('$value');",
            'string, double quotes' => "return discount(\"$value\");",
        };
        $secret = $config['secret'];
        ob_start();
        try {
            $shown = eval($code);
            $text = ob_get_clean() . print_r($shown, true);
            return str_contains($text, $secret) ? 'effective' : 'inert';
        } catch (Throwable) {
            return 'error';
        }
    }

    error_reporting(0);
    sallyportAnswerInChildren('sallyportJudge', 'error');
}
