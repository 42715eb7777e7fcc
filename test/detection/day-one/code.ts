import type { Lot } from '../uploads.ts';
import { fill, type Pools, pick, some } from './template.ts';
import { words } from './words.ts';

/** Parts of programs: `begin` comes first, `body` in any order, as often as one likes. */
interface Language {
  readonly name: string;
  readonly file: string;
  readonly begin: readonly string[];
  readonly body: readonly string[];
}

const codePools: Pools = {
  ...words,
  id: 'count total items name user value result index path data row line buffer options response'.split(
    ' ',
  ),
  fn: 'load save parse render update remove find open close process handle fetchAll toString'.split(
    ' ',
  ),
  type: 'User Order Report Session Parser Client Buffer Map List Node'.split(' '),
  col: 'id name email created_at status price qty user_id'.split(' '),
  table: 'users orders items sessions invoices products'.split(' '),
  str: [
    'hello, world',
    "it''s",
    'a/b/c',
    '%s: %d',
    'SELECT a «noun»',
    '«adjective» «noun»',
    'x; y',
  ],
};

const languages: readonly Language[] = [
  {
    name: 'python',
    file: 'src/«noun».py',
    begin: [
      'import os\nimport sys\nimport subprocess\n',
      'from pathlib import Path\n\nlog = None\n',
    ],
    body: [
      'def «fn»_«noun»(self, «id», «noun»=None):\n    """Return the «noun»; it\'s «adjective»."""\n    if «id» is None or «id» == "«noun»":\n        return self.«noun»\n    return [x for x in «id» if x["id"] != «number»]\n',
      "«id» = os.environ.get('«noun»', 'default')\n",
      "subprocess.run(['git', 'log', '--oneline'], check=True)\n",
      'with open(os.path.join(root, "«noun».txt")) as f:\n    «id» = f.read().split("\\n")\n',
      'cur.execute("SELECT «col», «col» FROM «table» WHERE «col» = %s AND «col» > 1", («id»,))\nrows = cur.fetchall()\n',
      'class «type»(Base):\n    def __init__(self, «id»):\n        super().__init__()\n        self.«id» = «id»\n\n    def __repr__(self):\n        return f"<{self.__class__.__name__} {self.«id»!r}>"\n',
      'print("%s: %d" % («id», len(«id»)), file=sys.stderr)\n',
      'result = eval(expression, {"__builtins__": {}}, {"«id»": «number»})\n',
      'os.system("clear")\n',
      "assert «id» == '«noun»' or «id» == \"«noun»\"  # it's one of them\n",
    ],
  },
  {
    name: 'javascript',
    file: 'src/«noun».js',
    begin: [
      "'use strict';\n\nconst fs = require('fs');\n",
      "import { «fn» } from './«noun».js';\n",
    ],
    body: [
      "const { exec } = require('child_process');\nexec('git status', (err, stdout) => {\n  if (err) throw err;\n  console.log(stdout);\n});\n",
      "export function «fn»(«id», «noun») {\n  if («id» === '«noun»' || «noun» == null) return `«noun» ${«id»}`;\n  return «id».filter((x) => x.id !== «number»);\n}\n",
      "document.getElementById('«noun»').innerHTML = '<b>' + «id» + '</b>';\n",
      'element.addEventListener("click", (event) => {\n  event.preventDefault();\n  alert("«noun» is «adjective»");\n});\n',
      "const rows = await db.query('SELECT «col» FROM «table» WHERE «col» = $1 OR «col» = $2', [«id», 1]);\n",
      "for (const «id» of Object.keys(«noun»)) {\n  if («id» === '__proto__' || «id» === 'constructor') continue;\n  out[«id»] = «noun»[«id»];\n}\n",
      'setTimeout(() => window.location.href = "/«noun»s?id=" + «id», «number»);\n',
      "module.exports = { «fn», «id»: process.env.«noun» || 'none' };\n",
      'if (text.includes("\'") && !text.endsWith(\'"\')) text = text.replace(/\'/g, "\\\\\'");\n',
      "const «id» = JSON.parse(localStorage.getItem('«noun»') ?? '{}');\n",
    ],
  },
  {
    name: 'php',
    file: 'app/«noun».php',
    begin: [
      '<?php\n\nnamespace App\\«type»;\n\nuse PDO;\n',
      "<?php\nrequire_once __DIR__ . '/vendor/autoload.php';\n",
    ],
    body: [
      "$stmt = $pdo->prepare(\"SELECT * FROM «table» WHERE «col» = :id OR «col» = 'x'\");\n$stmt->execute(['id' => $«id»]);\n",
      "public function «fn»(array $«id»): string\n{\n    return htmlspecialchars($_GET['«noun»'] ?? '', ENT_QUOTES);\n}\n",
      'foreach ($«id» as $key => $value) {\n    echo "<li>{$value[\'name\']}</li>\\n";\n}\n',
      "include 'templates/«noun».php';\n",
      "if (!file_exists($path) || filesize($path) == 0) {\n    throw new \\RuntimeException('no «noun»');\n}\n",
      "$out = shell_exec('git rev-parse HEAD');\n",
    ],
  },
  {
    name: 'bash',
    file: 'scripts/«noun».sh',
    begin: [
      '#!/usr/bin/env bash\nset -euo pipefail\n',
      '#!/bin/sh\n# Starts the «noun».\nset -e\n',
    ],
    body: [
      'DIR="$(cd "$(dirname "$0")" && pwd)"\n',
      'for f in "$DIR"/*.log; do\n  gzip -9 "$f" || echo "failed: $f" >&2\ndone\n',
      'if [ "$1" = "start" ] || [ "$1" = "restart" ]; then\n  systemctl restart «noun»\nfi\n',
      'rm -rf build/* && mkdir -p build\n',
      'cat /proc/cpuinfo | grep -c processor\n',
      'curl -fsSL https://«host»/«noun».tar.gz | tar xz -C /opt\n',
      'VERSION=`git describe --tags`\n',
      "ps aux | grep «noun» | awk '{print $2}' | xargs kill -9\n",
      'export PATH="$HOME/bin:$PATH"; source /etc/profile\n',
    ],
  },
  {
    name: 'sql',
    file: 'db/«noun».sql',
    begin: ['-- «noun»s, by «first»\nBEGIN;\n\n', 'SET search_path = public;\n\n', ''],
    body: [
      "CREATE TABLE «table» (\n  id SERIAL PRIMARY KEY,\n  «col» VARCHAR(255) NOT NULL DEFAULT 'x',\n  created TIMESTAMP DEFAULT now()\n);\n\n",
      "INSERT INTO «table» («col», «col») VALUES ('«noun»', «number»), ('it''s', NULL);\n\n",
      "UPDATE «table» SET «col» = '«noun»' WHERE «col» = «number» OR «col» IS NULL;\n\n",
      "SELECT u.«col», COUNT(*) AS n\nFROM «table» u\nLEFT JOIN «table» o ON o.user_id = u.id\nWHERE u.«col» = '«adjective»'\nGROUP BY u.«col»\nHAVING COUNT(*) > 1\nORDER BY n DESC\nLIMIT 10;\n\n",
      'SELECT id FROM «table»\nUNION ALL\nSELECT id FROM «table»\nORDER BY 1;\n\n',
      'DROP TABLE IF EXISTS «table»;\n\n',
      'ALTER TABLE «table» ADD COLUMN «col» INT;\n\n',
      'CREATE FUNCTION «fn»(integer) RETURNS integer AS $$ SELECT $1 + 1 $$ LANGUAGE sql;\n\n',
      "DELETE FROM «table» WHERE created < now() - interval '30 days';\n\n",
    ],
  },
  {
    name: 'java',
    file: 'src/main/java/«type».java',
    begin: ['package org.example.«noun»;\n\nimport java.util.List;\n\n'],
    body: [
      'public class «type» extends Base<List<Object>> {\n    private final String «id» = "«noun»";\n}\n',
      'Process p = Runtime.getRuntime().exec(new String[] {"git", "status"});\nint code = p.waitFor();\n',
      'Class<?> c = Class.forName("org.example.«type»");\nObject o = c.getDeclaredConstructor().newInstance();\n',
      'if (name.equals("«noun»") || name == null) {\n    throw new IllegalStateException("no \'«noun»\'");\n}\n',
      'PreparedStatement s = con.prepareStatement("SELECT «col» FROM «table» WHERE «col» = ? OR 1 = 1");\n',
      'System.out.println("«id»: " + System.getProperty("user.dir"));\n',
    ],
  },
  {
    name: 'go',
    file: 'cmd/«noun»/main.go',
    begin: ['package main\n\nimport (\n\t"fmt"\n\t"os/exec"\n)\n\n'],
    body: [
      'func «fn»(«id» string) (*«type», error) {\n\tif «id» == "" || «id» == "«noun»" {\n\t\treturn nil, fmt.Errorf("no %q", «id»)\n\t}\n\treturn &«type»{}, nil\n}\n',
      'out, err := exec.Command("git", "status").Output()\nif err != nil {\n\tlog.Fatal(err)\n}\n',
      'rows, err := db.Query("SELECT «col» FROM «table» WHERE «col» = $1", «id»)\nif err := rows.Err(); err != nil {\n\treturn err\n}\n',
      'if err := os.WriteFile("«noun».txt", []byte(«id»), 0o644); err != nil {\n\tpanic(err)\n}\n',
    ],
  },
  {
    name: 'ruby',
    file: 'lib/«noun».rb',
    begin: ["# frozen_string_literal: true\n\nrequire 'json'\n\n"],
    body: [
      'class «type» < Struct\n  def «fn»(«id»)\n    raise ArgumentError, "no #{«id»}" unless «id» == \'«noun»\' || «id».nil?\n    @«id» = «id»\n  end\nend\n',
      'puts `git status`\n',
      "File.open('«noun».txt', 'w') { |f| f.puts \"#{self.class}: #{«id»}\" }\n",
      "User.where('«col» = ? OR «col» = 1', «id»).order(:«col»).each { |u| u.send(:«fn») }\n",
      'system("make", "test") or abort("failed")\n',
    ],
  },
  {
    name: 'c',
    file: 'src/«noun».c',
    begin: ['#include <stdio.h>\n#include <string.h>\n#include "../include/«noun».h"\n\n'],
    body: [
      'static int «fn»(const char *«id»)\n{\n\tif (!strcmp(«id», "\'") || «id»[0] == \'"\')\n\t\treturn -1;\n\tprintf("%s;\\n", «id»);\n\treturn 0;\n}\n',
      'for (i = 0; i < «number»; i++) {\n\tif (flags & 0xe0) continue;\n\tselect(fd + 1, &set, NULL, NULL, &tv);\n}\n',
      'system("clear");\nexit(1);\n',
      '#define MAX_«number» ((a) > (b) ? (a) : (b))\n',
    ],
  },
  {
    name: 'html',
    file: 'public/«noun».html',
    begin: [
      '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>«noun»</title>\n</head>\n<body>\n',
    ],
    body: [
      '<h1>«noun» &amp; «noun»</h1>\n<p class="lead">«sentence»</p>\n',
      '<a href="/«noun»s?id=«number»&amp;sort=up">«noun»</a>\n',
      '<ul>\n  <li>«person»</li>\n  <li>«product»</li>\n</ul>\n',
      '<img src="/img/«noun».png" alt="«adjective» «noun»" width="«byte»">\n',
      '<form action="/search" method="get"><input name="q" value="«noun»"></form>\n',
      '<style>.«noun» { color: #«byte»; background: url("/img/«noun».png") }</style>\n',
    ],
  },
  {
    name: 'css',
    file: 'styles/«noun».css',
    begin: ['@import url("base.css");\n:root { --main: #336; }\n'],
    body: [
      '.«noun»:hover > a[href^="http"]::after { content: "\\201C"; color: rgba(0, 0, 0, .5); }\n',
      '@media (max-width: «number»px) { .«noun» { display: none !important; } }\n',
      '.«noun» { background: url(data:image/svg+xml;utf8,%3Csvg%3E) no-repeat; filter: alpha(opacity=50); }\n',
    ],
  },
  {
    name: 'typescript',
    file: 'src/«noun».ts',
    begin: ["import type { «type» } from './«noun».ts';\n\n"],
    body: [
      'export interface «type»Options {\n  readonly «id»: string | undefined;\n  «fn»?(value: unknown): asserts value is string;\n}\n',
      "type «type»Key = keyof typeof «id» & ('«noun»' | '«verb»');\n",
      'const «id»: Record<string, (x: number) => void> = Object.create(null);\n',
      'export const «fn» = async <T,>(«id»: T): Promise<T[]> => (await import(`./${«id»}.ts`)).default;\n',
    ],
  },
];

/** A program of a language by lot. */
export function programOf(
  lot: Lot,
  isWanted = (_language: string) => true,
): { language: string; file: string; text: string } {
  const wanted = languages.filter(({ name }) => isWanted(name));
  const language = pick(lot, wanted);
  const parts = [pick(lot, language.begin), ...some(lot, language.body, 2 + lot.below(5))];
  const end = language.name === 'html' ? '</body>\n</html>\n' : '';
  return {
    language: language.name,
    file: fill(lot, language.file, codePools),
    text: fill(lot, parts.join(pick(lot, ['', '\n'])), codePools) + end,
  };
}

/** A change to a program as `git diff` shows it. */
export function diffOf(lot: Lot): string {
  const { file, text } = programOf(lot);
  const lines = text.split('\n').map((line) => pick(lot, ['+', '-', ' ', ' ', '+']) + line);
  const hunk = `@@ -${lot.below(300)},${lines.length} +${lot.below(300)},${lines.length} @@ «fn»()`;
  const head = `diff --git a/${file} b/${file}\nindex 1a2b3c4..5d6e7f8 100644\n--- a/${file}\n+++ b/${file}`;
  return fill(lot, `${head}\n${hunk}\n`, codePools) + lines.join('\n');
}

/** One line or so of code, as people name it in a sentence. */
export function spanOf(lot: Lot): string {
  return fill(lot, pick(lot, spans), codePools);
}

const spans = [
  '«id» === null',
  'git commit -m "«verb» «noun»"',
  'npm install --save-dev «noun»',
  'SELECT «col» FROM «table»',
  'const «id» = [];',
  '«fn»(«id», «number»)',
  '$«id»->«fn»()',
  'self.«id»',
  'a && b || c',
  '#{«id»}',
  '{{ «id» }}',
  '/etc/nginx/nginx.conf',
  'ls -la',
  'if («id») {',
  '<div class="«noun»">',
  'x => x.«id»',
  "don't",
];
