import { confidence } from '../../placement/confidence.ts';
import { wordList } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';

/** `AddType application/x-httpd-php .jpg`: a configuration that makes a program of a picture. */
export const serverConfiguration: ValueRule = {
  id: 'other.server-configuration',
  cwe: 'CWE-434',
  score: confidence.strong,
  message: 'is a piece of server configuration that has harmless files run as programs',
  trigger: {
    literals: [
      wordList(
        'x-httpd-php php-script cgi-script server-parsed auto_prepend_file',
        'auto_append_file scriptprocessor allow_url_include',
      ),
    ],
  },
  judge: (subject) => {
    const text = subject.text.slice(0, textCharsMax);
    for (const form of forms) {
      const found = form.exec(text);
      if (found === null) continue;
      // The whole is a file, or a line of it; a question shows a piece among words.
      const isFile = fileStart.test(text);
      return {
        start: found.index,
        end: Math.min(text.length, found.index + Math.min(found[0].length, evidenceChars)),
        score: isFile ? confidence.strong : confidence.hint,
      };
    }
    return undefined;
  },
  examples: [
    'AddType application/x-httpd-php .jpg',
    'AddHandler php-script .png .gif',
    '<FilesMatch "\\.(jpe?g|png)$">\nSetHandler application/x-httpd-php\n</FilesMatch>',
    'Options +ExecCGI\nAddHandler cgi-script .gif',
    'auto_prepend_file=avatar.gif',
    'php_value auto_append_file "php://input"',
    '<configuration><system.webServer><handlers><add name="x" path="*.jpg" verb="*" modules="IsapiModule" scriptProcessor="%windir%\\system32\\inetsrv\\asp.dll" /></handlers></system.webServer></configuration>',
  ],
  lookalikes: [
    'AddType application/x-httpd-php .php',
    '<FilesMatch "\\.php$">\nSetHandler application/x-httpd-php\n</FilesMatch>',
    'auto_prepend_file =\nauto_append_file =\nallow_url_include = Off',
    'Why does AddType application/x-httpd-php .jpg let people run pictures?',
    '<add name="php" path="*.php" verb="*" modules="FastCgiModule" scriptProcessor="C:\\PHP\\php-cgi.exe" />',
    'AddHandler cgi-script .cgi .pl',
  ],
};

const textCharsMax = 4_000;
const evidenceChars = 160;
const fileStart =
  /^\s{0,8}(?:[#;]|<|AddType|AddHandler|SetHandler|ForceType|Options|php_(?:value|flag|admin_value)|auto_(?:prepend|append)_file|allow_url_include|RewriteEngine|\[PHP\]|GIF8\d)/i;
const forms: readonly RegExp[] = [
  /\bAdd(?:Type|Handler)\s{1,4}["']?(?:application\/x-httpd-php\w{0,10}|php\d?-script|cgi-script|server-parsed)["']?\s{1,4}[\w. ]{0,60}?\.?(?:jpe?g|png|gif|bmp|ico|svg|webp|txt|pdf|docx?|zip|csv|mp[34]|abc|xxx|test|htaccess|l33t|evil)\b/i,
  /<Files(?:Match)?\s{1,4}[^>\n]{0,80}(?:jpe?g|png|gif|svg|txt|pdf|htaccess)[^>\n]{0,40}>\s{1,8}(?:SetHandler|ForceType)\s{1,4}["']?(?:application\/x-httpd-php|php\d?-script|cgi-script|server-parsed)/i,
  /^\s{0,8}(?:SetHandler|ForceType)\s{1,4}["']?(?:application\/x-httpd-php|php\d?-script|cgi-script)/i,
  /\bauto_(?:prepend|append)_file["']?\s{0,4}[=\s]\s{0,4}["']?(?:(?:php|data|https?|ftp|phar|zip):|\.htaccess|\/proc\/|\/var\/log\/|[^\s"'\n]{1,80}\.(?:jpe?g|png|gif|bmp|ico|svg|webp|txt|pdf|zip|log|csv)\b)/i,
  /\bpath="\*?\.?(?:jpe?g|png|gif|bmp|ico|txt|pdf|config|html?|\*)"[^>]{0,200}scriptProcessor="[^"]{0,120}(?:asp\.dll|php-cgi\.exe|cmd\.exe|perl\.exe)/i,
  /scriptProcessor="[^"]{0,120}cmd\.exe/i,
];
