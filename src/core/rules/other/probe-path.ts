import { confidence } from '../../placement/confidence.ts';
import { foundBy } from '../../placement/evidence.ts';
import { wordList } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';

/**
 * `/.env`, `/wp-config.php.bak`, `/actuator/heapdump`: paths that only a search for holes asks for.
 */
export const probePath: ValueRule = {
  id: 'other.probe-path',
  cwe: 'CWE-538',
  severity: 'medium',
  score: confidence.strong,
  message: 'asks for a file or page that leaks secrets, or that only a device or a shell has',
  trigger: { literals: [probeLiterals()] },
  judge: (subject) => {
    if (subject.member !== 'path' || subject.depth !== 1) return undefined;
    const { text } = subject;
    if (text.charCodeAt(0) !== 47 && !requestUrl.test(text)) return undefined;
    const cut = text.slice(0, pathCharsMax).search(pathEnd);
    const path = text.slice(0, cut < 0 ? pathCharsMax : cut);
    for (const [form, score] of forms) {
      const found = form.exec(path);
      if (found !== null) return foundBy(found, score);
    }
    return undefined;
  },
  examples: [
    { body: { method: 'GET', path: '/.env' } },
    { body: { method: 'GET', path: '/app/.git/config' } },
    { body: { method: 'GET', path: '/wp-config.php.bak' } },
    { body: { method: 'GET', path: '/backup/db.sql.gz' } },
    { body: { method: 'GET', path: '/phpinfo.php' } },
    { body: { method: 'GET', path: '/app/.;/services/log' } },
    { body: { method: 'GET', path: '/actuator/heapdump' } },
    { body: { method: 'POST', path: '/boaform/admin/formLogin' } },
    { body: { method: 'POST', path: '/vendor/phpunit/phpunit/src/Util/PHP/eval-stdin.php' } },
  ],
  lookalikes: [
    { body: { method: 'GET', path: '/.well-known/security.txt' } },
    { body: { method: 'GET', path: '/actuator/health' } },
    { body: { method: 'GET', path: '/docs/.env-files-explained' } },
    { body: { method: 'GET', path: '/downloads/schema.sql' } },
    { body: { method: 'GET', path: '/wp-login.php' } },
    { body: { method: 'GET', path: '/dana-na/auth/url_default/welcome.cgi' } },
    { body: { method: 'GET', path: '/blog/phpinfo.php-explained' } },
    { body: { file: '/downloads/dump.sql.gz' } },
    { body: { method: 'GET', path: '/team/backup-plans.zip.html' } },
  ],
};

function probeLiterals(): readonly string[] {
  return wordList(
    '/. .bak .old .orig .save .swp .sql .php~ .zip .tar .rar info.php /actuator boaform',
    'hnap1 gponform /goform/ cgi-bin .cgi /jmx-console /invoker/ /web-console /wls-wsat',
    '/_async/ /manager/ eval-stdin _ignition /tmui/ /mgmt/tm/ +cscoe+ +cscot+ /dana-na/',
    '/remote/fgt .axd web.config wp-config /server-status /server-info currentsetting',
    'jolokia /autodiscover invokefunction /solr/admin /_profiler /telescope/ id_rsa',
    'c99.php r57.php b374k wso.php alfa.php shell.php adminer /debug/pprof /evox/',
    '/nmaplower /struts /druid/ /v1/agent /containers/ /owa/ /ecp/ /geoserver/ /seeyon/',
    '/setup/setup- debug.log laravel.log docker-compose appsettings .key .pem _debugbar',
    'h2-console sftp-config /application. /jenkins/script /scripts/setup.php /_cat/',
    'authorized_keys',
  );
}

const pathCharsMax = 400;
const requestUrl = /^https?:\/\/[^/]{1,200}\//i;
const pathEnd = /[?#]/;

/** Each form with its score, the most telling first. */
const forms: readonly (readonly [RegExp, number])[] = [
  [/\/\.;[^/]{0,40}\//, confidence.strong],
  [/\/eval-stdin\.php$|\/_ignition\/execute-solution\/?$/i, confidence.certain],
  [/\/(?:boaform|goform|gponform)\/|\/hnap1\/?$|\/currentsetting\.htm$/i, confidence.strong],
  [
    /\/(?:c99|r57|b374k|wso|alfa|p0wny|weevely|c100|indoxploit|(?:web)?shell|cmd)\.(?:php|asp|aspx|jsp)$/i,
    confidence.strong,
  ],
  [
    /\/\.(?:env(?:\.(?:local|prod(?:uction)?|dev(?:elopment)?|staging|test|bak|backup|old|save|example|php|json))?|git\/(?:config|head|index|logs\/|objects\/|refs\/|description|fetch_head|packed-refs)|git\/?$|git-credentials|gitlab-ci\.yml|svn(?:\/(?:entries|wc\.db))?|hg(?:\/|$)|bzr\/|ds_store|aws\/(?:credentials|config)|htpasswd|htaccess|user\.ini|(?:bash|zsh|mysql|psql)_history|bashrc|ssh\/|kube\/config|docker\/config\.json|dockerenv|npmrc|pypirc|netrc|pgpass|my\.cnf|vscode\/(?:sftp|settings)\.json|idea\/(?:workspace|webservers|datasources)\.xml|ftpconfig|remote-sync\.json|config\.php\.sw[op])$/i,
    confidence.strong,
  ],
  [/\/\.git\/(?:logs|objects|refs)\//i, confidence.strong],
  [
    /\/[\w.-]{1,60}\.(?:php\d?|phtml|asp|aspx|jsp|inc|conf|cfg|config|ini|ya?ml|py|rb|env)(?:\.(?:bak|old|orig|save|swp|swo|backup|copy|tmp|txt|dist|1)|~|_bak|\.bak\d)$/i,
    confidence.strong,
  ],
  [
    /\/wp-config(?:\.(?:php|inc|txt|old|bak|html)|-backup|\.php[._~-]\w{0,10})?$/i,
    confidence.strong,
  ],
  [
    /\/(?:[\w-]{0,30}[._-])?(?:backups?|dump|database|db|mysql|mysqldump|site|www|wwwroot|htdocs|public_html|web|website|localhost)(?:[._-][\w-]{0,30})?\.(?:sql(?:\.(?:gz|bz2|zip|xz|7z|tar\.gz))?|sqlite3?|tar\.gz|tgz|rar|7z|bak|mdb)$/i,
    confidence.likely,
  ],
  [
    /^\/(?:[\w-]{1,40}\/)?(?:backup|backups|www|wwwroot|htdocs|public_html|website|database|dump)\.(?:zip|tar|gz)$/i,
    confidence.likely,
  ],
  [
    /\/(?:backups?|dumps?|old|\.backup)\/[\w.-]{1,60}\.(?:sql|sql\.gz|sql\.zip|tar\.gz|tgz|bak|rar|7z)$/i,
    confidence.likely,
  ],
  [
    /\/(?:_?php_?info|phpinfo\d|i|pinfo|php-info|info_?php)\.php$|\/_profiler\/phpinfo$/i,
    confidence.likely,
  ],
  [
    /\/(?:actuator|management|manage)(?:\/|;\/)(?:env|heapdump|threaddump|jolokia|gateway|configprops|beans|mappings|loggers|httptrace|trace|shutdown|restart|refresh|logfile|dump|auditevents|sessions|heapdump\.json|env\.json)(?:$|[/.;])/i,
    confidence.strong,
  ],
  [
    /\/(?:jolokia\/(?:exec|read|list|write)|jmx-console\/|web-console\/(?:invoker|serverinfo)|invoker\/(?:jmx|ejb|readonly))/i,
    confidence.strong,
  ],
  [
    /\/(?:wls-wsat\/|_async\/asyncresponse|bea_wls_internal\/|console\/(?:images|css)\/(?:%|\.))/i,
    confidence.strong,
  ],
  [
    /\/(?:tmui\/login\.jsp|mgmt\/tm\/(?:util|access)|\+cscoe\+\/|\+cscot\+\/|dana-na\/(?!auth\/(?:url_default|lastauthserverused)|css\/)|remote\/(?:fgt_lang|logincheck|hostcheck))/i,
    confidence.strong,
  ],
  [
    /\/autodiscover\/autodiscover\.json|\/(?:ecp|owa\/auth|owa)\/[a-z]{1,20}\.js$|\/ecp\/proxylogon\.ecp/i,
    confidence.strong,
  ],
  [
    /\/cgi-bin\/(?:[\w/-]{0,40}\/)?(?:bash|sh|cmd|php\d?|php-cgi|test-cgi|printenv|luci|setup\.cgi|nobody|mainfunction\.cgi|kerbynet|supportinstaller|viewcert|config\.exp|webproc|status\.cgi|jarrewrite\.sh)|^\/(?:setup|apply|syscmd)\.cgi$/i,
    confidence.strong,
  ],
  [/\/(?:elmah|trace)\.axd$|\/(?:web|app|machine)\.config$|\/global\.asax?$/i, confidence.strong],
  [/\/server-(?:status|info)\/?$|\/nginx_status$/i, confidence.likely],
  [
    /\/manager\/(?:html|text|jmxproxy|status)(?:\/|$)|\/host-manager\/(?:html|text)/i,
    confidence.likely,
  ],
  [/\/(?:adminer(?:-\d[\d.]{0,8})?|dbadmin|mysqladmin|sqlweb)\.php$/i, confidence.likely],
  [
    /\/(?:id_(?:rsa|dsa|ecdsa|ed25519)|authorized_keys|server\.key|privkey\.pem|\.?credentials\.(?:csv|json))$/i,
    confidence.strong,
  ],
  [/\/(?:evox\/about|nmaplowercheck\d{1,12}|nmap\/folder)/i, confidence.strong],
  [
    /\/solr\/admin\/(?:cores|info|collections)|\/druid\/(?:index|websession|weburi|sql)\.html$/i,
    confidence.likely,
  ],
  [/\/setup\/setup-(?:s|[a-z]{1,20})\/?(?:%u|\.\.)/i, confidence.strong],
  [
    /\/(?:wp-content\/debug|storage\/logs\/laravel)\.log$|\/(?:docker-compose(?:\.\w{1,12})?\.ya?ml|appsettings(?:\.\w{1,16})?\.json|sftp-config\.json)$|^\/(?:config\/)?application(?:-\w{1,16})?\.(?:ya?ml|properties)$/i,
    confidence.likely,
  ],
  [
    /\/telescope\/requests|\/_debugbar\/open|\/h2-console(?:\/login\.do)?\/?$|\/jenkins\/script(?:text)?\/?$|\/struts2?-(?:showcase|blank)\/|\/(?:phpmyadmin|pma|myadmin)[\w.-]{0,20}\/scripts\/setup\.php|^\/_cat\/\w|^\/v1\/agent\/self$|^\/(?:v1\.\d{2}\/)?containers\/json$/i,
    confidence.likely,
  ],
  [/\/debug\/pprof\/(?:heap|goroutine|profile|cmdline|trace)?$/i, confidence.likely],
];
