// Renders vulnerable templates with Twig: one line of JSON in, the effect out.
namespace {
    sallyportStubs('{"reached":true}');
    require 'Twig/autoload.php';
    error_reporting(0);

    function sallyportRender(string $source, string $secret): string
    {
        $twig = new Twig\Environment(new Twig\Loader\ArrayLoader(['page' => $source]), ['autoescape' => false]);
        return $twig->render('page', ['config' => ['secret_key' => $secret]]);
    }

    function sallyportJudge(array $case): string
    {
        try {
            $said = ['shown' => substr(sallyportRender($case['source'], $case['secret']), 0, 8000)];
        } catch (Throwable) {
            return '{}';
        }
        return json_encode($said, JSON_INVALID_UTF8_SUBSTITUTE);
    }

    // Its classes are loaded once, before the processes part.
    sallyportRender('{{ [1]|map(v => v * 2)|join }}{% if 1 %}{{ "a"|upper }}{% endif %}', '');
    sallyportAnswerInChildren('sallyportJudge', '{}');
}
