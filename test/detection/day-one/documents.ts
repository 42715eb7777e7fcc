import type { Lot } from '../uploads.ts';
import { fill, pick, some } from './template.ts';
import { words } from './words.ts';

/** Files of settings: what one begins with, and what there may be more of. */
const configs: readonly (readonly [file: string, begin: string, body: readonly string[]])[] = [
  [
    'nginx/«noun».conf',
    '# /etc/nginx/sites-available/«noun»\nserver {\n  listen 443 ssl;\n  server_name «host»;\n',
    [
      '  location ~ \\.php$ {\n    fastcgi_pass unix:/run/php/php8.2-fpm.sock;\n  }\n',
      '  location /«noun» {\n    proxy_pass http://127.0.0.1:8080;\n    proxy_set_header Host $host;\n  }\n',
      '  ssl_certificate /etc/ssl/certs/«noun».pem;\n',
      '  access_log /var/log/nginx/«noun».log;\n',
      '  if ($request_method = POST) { return 405; }\n',
      '  rewrite ^/«noun»/(.*)$ /«noun».php?id=$1 last;\n',
    ],
  ],
  [
    'docker-compose.yml',
    'version: "3.8"\nservices:\n',
    [
      '  «noun»:\n    image: postgres:16\n    environment:\n      POSTGRES_PASSWORD: ${DB_PASSWORD:-secret}\n',
      '  «noun»:\n    command: ["sh", "-c", "npm ci && npm start"]\n    volumes:\n      - ./data:/var/lib/«noun»\n      - /var/run/docker.sock:/var/run/docker.sock\n',
      '  «noun»:\n    healthcheck:\n      test: curl -f http://localhost:«byte»/ || exit 1\n',
    ],
  ],
  [
    'Dockerfile',
    'FROM node:22-slim\nWORKDIR /app\n',
    [
      'RUN apt-get update && apt-get install -y curl && rm -rf /var/lib/apt/lists/*\n',
      'COPY package*.json ./\nRUN npm ci --omit=dev\n',
      'ENV NODE_ENV=production\n',
      'CMD ["node", "dist/main.js"]\n',
      'HEALTHCHECK CMD curl -f http://localhost/ || exit 1\n',
    ],
  ],
  [
    'crontab',
    '# m h dom mon dow command\nMAILTO=«mail»\n',
    [
      '*/5 * * * * root /usr/local/bin/«noun».sh >/dev/null 2>&1\n',
      '0 3 * * 1 cd /srv/«noun» && ./bin/console «verb» --env=prod\n',
      '@reboot sleep 60; /usr/bin/«noun»d -c /etc/«noun».conf\n',
      '15 2 * * * find /var/log/«noun» -name "*.log" -mtime +7 -delete\n',
    ],
  ],
  [
    '.env.example',
    '# copy to .env\nAPP_ENV=local\n',
    [
      'DB_URL=postgres://«noun»:secret@localhost:5432/«noun»\n',
      'APP_KEY=base64:«hex»=\n',
      "GREETING='it''s «noun»'\n",
      'REDIS_URL=redis://127.0.0.1:6379/0\n',
      'LOG_FILE=/var/log/«noun».log\n',
    ],
  ],
  [
    'sudoers/«noun»',
    '# sudoers for the «noun» team\nDefaults env_reset\n',
    [
      '«user» ALL=(ALL:ALL) NOPASSWD: /usr/bin/systemctl restart «noun»\n',
      '%admin ALL=(root) /bin/cat /var/log/«noun».log, /usr/bin/tail -f *\n',
    ],
  ],
  [
    'systemd/«noun».service',
    "[Unit]\nDescription=«person»'s «noun»\nAfter=network.target\n\n[Service]\n",
    [
      "ExecStart=/bin/sh -c 'exec /usr/bin/«noun»d --port $PORT'\n",
      'ExecStartPre=/bin/mkdir -p /run/«noun»\n',
      'EnvironmentFile=-/etc/default/«noun»\n',
      'Restart=on-failure\nProtectSystem=strict\n',
      'ConditionPathIsReadWrite=/proc/sys/net/\n',
    ],
  ],
  [
    'main.tf',
    'terraform {\n  required_version = ">= 1.5"\n}\n\n',
    [
      'resource "aws_s3_bucket" "«noun»" {\n  bucket = "${var.name}-«noun»"\n  tags   = merge(local.tags, { Owner = "«person»" })\n}\n\n',
      'variable "«noun»" {\n  type    = list(string)\n  default = ["«adjective»"]\n}\n\n',
      'output "url" {\n  value = "http://${aws_lb.«noun».dns_name}:${var.port}/"\n}\n\n',
      'resource "null_resource" "«noun»" {\n  provisioner "local-exec" {\n    command = "echo ${self.id} >> ids.txt"\n  }\n}\n\n',
    ],
  ],
  [
    '.github/workflows/«noun».yml',
    'name: «noun»\non: [push, pull_request]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n',
    [
      "      - run: npm test -- --grep '«noun»'\n        if: ${{ github.event_name == 'push' || always() }}\n",
      '      - run: |\n          docker build -t «noun»:${{ github.sha }} .\n          docker push «noun»:${{ github.sha }}\n',
      '      - uses: actions/checkout@v4\n        with: { token: "${{ secrets.TOKEN }}" }\n',
    ],
  ],
  [
    'my.cnf',
    '[mysqld]\nport = 3306\n',
    [
      'datadir = /var/lib/mysql\n',
      "sql_mode = 'STRICT_TRANS_TABLES'\n",
      'log_error = /var/log/mysql/error.log\n',
    ],
  ],
  [
    'pom.xml',
    '<?xml version="1.0" encoding="UTF-8"?>\n<project xmlns="http://maven.apache.org/POM/4.0.0">\n',
    [
      '  <dependency><groupId>org.example</groupId><version>${«noun».version}</version></dependency>\n',
      '  <name>«noun» &amp; «noun»</name>\n',
    ],
  ],
  [
    'Makefile',
    'SHELL := /bin/bash\n.PHONY: all clean\n\n',
    [
      'clean:\n\trm -rf build $(OBJS)\n\n',
      '«noun»: $(wildcard *.c)\n\t$(CC) -o $@ $^ || (echo "no «noun»"; exit 1)\n\n',
      'VERSION := $(shell git describe --tags)\n\n',
    ],
  ],
];

/** A file of settings by lot. */
export function configOf(lot: Lot): { file: string; text: string } {
  const [file, begin, body] = pick(lot, configs);
  const text = begin + some(lot, body, 1 + lot.below(5)).join('');
  return { file: fill(lot, file, words), text: fill(lot, text, words) };
}

/** Errors with where they came from, as crash reporters send them. */
export function traceOf(lot: Lot): { message: string; stack: string } {
  const message = fill(lot, pick(lot, errors), words);
  const frames = pick(lot, traceFrames);
  const stack = `${message}\n${some(lot, frames, 3 + lot.below(6)).join('\n')}`;
  return { message, stack: fill(lot, stack, words) };
}

/** Among them what databases say of a broken statement. */
const errors = [
  "TypeError: Cannot read properties of undefined (reading '«noun»')",
  'ReferenceError: «noun» is not defined',
  'SyntaxError: Unexpected token \'<\', "<!DOCTYPE "... is not valid JSON',
  'java.lang.NullPointerException: Cannot invoke "String.length()" because "«noun»" is null',
  "KeyError: '«noun»'",
  "NoMethodError: undefined method `«verb»' for nil:NilClass",
  'PHP Fatal error:  Uncaught Error: Call to undefined function «verb»() in /var/www/html/«noun».php:«number»',
  'ERROR:  syntax error at or near "«noun»"\nLINE 1: SELECT * FROM «noun» WHERE id = «number» «noun»\n                                            ^',
  'ERROR:  duplicate key value violates unique constraint "«noun»_pkey"\nDETAIL:  Key (id)=(«number») already exists.',
  "You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use near ''«noun»' at line 1",
  'ORA-00933: SQL command not properly ended',
  'ORA-01756: quoted string not properly terminated',
  "SQLSTATE[42S02]: Base table or view not found: 1146 Table 'shop.«noun»s' doesn't exist (SQL: select * from `«noun»s` where `id` = «number» limit 1)",
  "Unclosed quotation mark after the character string '«noun»'. Incorrect syntax near '«noun»'.",
  'SQLITE_ERROR: near "«noun»": syntax error',
  'sqlite3.OperationalError: no such table: «noun»s',
  "pymysql.err.IntegrityError: (1062, \"Duplicate entry '«person»' for key '«noun».PRIMARY'\")",
  "Msg 208, Level 16, State 1, Line 1\nInvalid object name 'dbo.«noun»'.",
  'Unhandled rejection: AssertionError [ERR_ASSERTION]: \'«noun»\' == "«noun»"',
  'Refused to execute inline script because it violates the following Content Security Policy directive: "script-src \'self\'".',
  'bash: «verb»: command not found',
  'template: «noun».html:«byte»:«byte»: executing "«noun».html" at <.User.Name>: nil pointer',
];

const traceFrames: readonly (readonly string[])[] = [
  [
    '    at «verb»«noun» (https://«host»/static/js/main.«hex».js:1:«number»)',
    '    at Object.<anonymous> (/srv/app/node_modules/«noun»/lib/index.js:«byte»:11)',
    '    at async Promise.all (index «byte»)',
    '    at new «first» (webpack-internal:///./src/«noun».vue?vue&type=script&lang=js:«byte»:5)',
    '    at eval (eval at <anonymous> (https://«host»/a.js:1:1), <anonymous>:1:«byte»)',
    '    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)',
  ],
  [
    '  File "/usr/lib/python3.11/site-packages/«noun»/__init__.py", line «number», in __call__\n    return self.«verb»(«noun», **kwargs)',
    '  File "/srv/app/«noun».py", line «number», in <module>\n    cursor.execute("SELECT * FROM «noun» WHERE id = %s" % «noun»)',
    '  File "<stdin>", line 1, in <module>',
    '  File "/srv/app/../lib/«noun».py", line «number», in «verb»\n    os.system(command)',
  ],
  [
    '\tat org.example.«noun».Service.«verb»(Service.java:«number»)',
    '\tat java.base/java.lang.Thread.run(Thread.java:840)',
    '\tat javax.naming.InitialContext.lookup(InitialContext.java:417)',
    '\tat java.base/java.lang.Runtime.exec(Runtime.java:594)',
    'Caused by: java.sql.SQLException: «sentence»',
  ],
  [
    "#«byte» /var/www/html/vendor/«noun»/src/«noun».php(«number»): PDO->query('SELECT * FROM «noun»s')",
    '#«byte» {main}',
    "#«byte» /var/www/html/index.php(«byte»): include('/var/www/html/«noun».php')",
  ],
  [
    "/usr/lib/ruby/gems/3.1.0/gems/rack-2.2/lib/rack/«noun».rb:«number»:in `call'",
    "app/models/«noun».rb:«byte»:in `block in «verb»'",
    "config.ru:4:in `eval'",
  ],
];

/** Lines of a log, a terminal or a build by lot. */
export function logOf(lot: Lot): string {
  const kind = pick(lot, logKinds);
  return fill(lot, some(lot, kind, 2 + lot.below(12)).join('\n'), words);
}

const logKinds: readonly (readonly string[])[] = [
  [
    '«ip» - - [«time»] "GET /«noun»s?q=«noun»&page=«byte» HTTP/1.1" 200 «number» "https://«host»/" "Mozilla/5.0 (X11; Linux x86_64)"',
    '«ip» - «user» [«time»] "POST /login HTTP/1.1" 302 0 "-" "curl/8.5.0"',
    '«ip» - - [«time»] "GET /../favicon.ico HTTP/1.1" 400 0 "-" "-"',
  ],
  [
    "«time» ERROR [main] o.e.«noun».Service - could not «verb» '«noun»': «sentence»",
    '«time» INFO  [pool-1] connection from «ip»; user=«user» db=«noun»',
    '«time» DEBUG select «noun»0_.id from «noun» «noun»0_ where «noun»0_.id=?',
    "«time» WARN  slow query (1«number» ms): SELECT count(*) FROM «noun» WHERE name = '«last»'",
  ],
  [
    '$ git status --short',
    ' M src/«noun».ts',
    '$ npm test -- --«noun»',
    '# tests «number»\n# pass «number»\n# fail 0',
    'npm ERR! code ELIFECYCLE\nnpm ERR! errno 1',
    '$ ls -la /srv/«noun»\ndrwxr-xr-x 2 root root 4096 Mar  4 05:06 .',
    '«user»@«noun»:~$ cat «noun».txt | sort | uniq -c',
    'root@«noun»:/# systemctl status nginx',
    '$ echo "$PATH"\n/usr/local/bin:/usr/bin:/bin',
  ],
  [
    '##[group]Run npm ci && npm run build',
    '  env: NODE_OPTIONS=--max-old-space-size=4096; CI=true',
    'Step «byte»/12 : RUN apt-get update && apt-get install -y curl',
    ' ---> Using cache\n ---> «hex»',
    'gcc -O2 -Wall -I../include -c «noun».c -o build/«noun».o',
    "src/«noun».c:«number»:7: warning: comparison '==' between pointer and integer",
    '«noun»_test.go:«number»: got "«noun»", want \'«noun»\' || nil',
    '✗ «noun» › should «verb» when "«noun»" is <«adjective»>',
  ],
  [
    'Mar  4 05:06:07 «noun» sshd[«number»]: Failed password for invalid user admin from «ip» port «number» ssh2',
    'Mar  4 05:06:07 «noun» sudo: «user» : TTY=pts/0 ; PWD=/home/«user» ; USER=root ; COMMAND=/usr/bin/apt update',
    'Mar  4 05:06:07 «noun» kernel: [«number».«byte»] audit: type=1400 apparmor="DENIED" name="/proc/«number»/status"',
    'Mar  4 05:06:07 «noun» CRON[«number»]: (root) CMD (cd / && run-parts --report /etc/cron.hourly)',
  ],
];

/** Patterns as people keep them in settings of forms, filters and searches. */
export function regexOf(lot: Lot): string {
  return fill(lot, pick(lot, regexes), words);
}

const regexes = [
  '^[\\w.+-]+@[\\w-]+\\.[\\w.]{2,}$',
  '^(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}$',
  '(?i)\\b(select|insert|update|delete|drop)\\b',
  '<(\\w+)[^>]*>(.*?)</\\1>',
  "^[A-Z][a-z]+(?:[ '-][A-Z][a-z]+)*$",
  '^(?!.*\\.\\.)(?!.*/$)[^\\0]+$',
  '/^\\/«noun»s\\/(\\d+)(?:\\/|$)/gi',
  '(["\'])(?:\\\\.|(?!\\1).)*\\1',
  '^\\s*(?:«verb»|«verb»)\\s*\\((.*)\\)\\s*;?$',
  '[^\\x00-\\x7F]+|[\\u4e00-\\u9fff]',
  '^\\$\\{([^}]+)\\}$|\\{\\{\\s*(\\w+)\\s*\\}\\}',
  's/[«byte»-9]+\\.(«noun»)/$1/g',
  '.*\\b«noun»[=:]\\s*"?([^";&|]*)',
  '^(https?|ftp):\\/\\/[^\\s/$.?#].[^\\s]*$',
];
