import { confidence } from '../../placement/confidence.ts';
import { foundBy } from '../../placement/evidence.ts';
import { wordList } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';

/**
 * Commands of Redis (RESP and inline) and of memcached (protocol.txt) that begin a line of their
 * own.
 */
const redisCommand =
  /\n(?:CONFIG\s{1,3}(?:SET|GET|REWRITE)\s|config\s{1,3}set\s{1,3}(?:dir|dbfilename)\s|FLUSH(?:ALL|DB)\b|flush(?:all|db)\s{0,4}\r?\n|(?:SLAVE|REPLICA)OF\s{1,3}\S|slaveof\s{1,3}\S{1,80}\s{1,3}\d|EVAL\s{1,3}["']|MODULE\s{1,3}LOAD\s|SCRIPT\s{1,3}(?:LOAD\s{1,3}["']|FLUSH\b)|MIGRATE\s{1,3}\S{1,80}\s\d|DEBUG\s{1,3}(?:SEGFAULT|SLEEP\s{1,3}\d)|ACL\s{1,3}SETUSER\s|CLIENT\s{1,3}KILL\s|FUNCTION\s{1,3}LOAD\s|flush_all\s{0,4}(?:\r?\n|$)|stats\s{1,3}(?:cachedump|slabs|items)\s{0,4}[\d\r])/;
/** Commands of Redis that are no words of English. */
const ownCommands: readonly string[] = wordList(
  'HSET HMSET HDEL HINCRBY LPUSH RPUSH LSET SADD SREM SMEMBERS ZADD ZREM ZRANGE XADD SETEX PSETEX',
  'SETNX GETSET MSET INCRBY DECRBY UNLINK RENAMENX PEXPIRE EVALSHA',
);
const respFrame = /\*\d{1,4}\r?\n\$\d{1,4}\r?\n\w/;
const memcachedStorage =
  /\n(?:set|add|replace|append|prepend|cas) {1,3}\S{1,250} \d{1,10} -?\d{1,10} \d{1,10}(?: noreply)?\r?\n/i;
/** How the lines of those begin that these patterns find. */
const lineStarts: readonly string[] = [
  ...['\nconfig', '\nflush', '\nslaveof', '\nreplicaof', '\neval', '\nmodule', '\nscript'],
  ...['\nmigrate', '\ndebug', '\n$', '\ndel ', '\nget ', '\nincr ', '\nkeys ', '\nhgetall '],
  ...['\nset ', '\nadd ', '\nreplace ', '\nappend ', '\nprepend ', '\ncas '],
  ...['\nacl', '\nclient', '\nfunction', '\nstats', '\nlrange '],
  ...ownCommands.map((name) => `\n${name} `),
];
/** One word, and a command of Redis with words for arguments up to the end of the value. */
const inlineCommand =
  /^[\w:.-]{1,60}\r\n(?:SET [\w:.-]{1,80} \S{1,80}|(?:DEL|GET|INCR|KEYS|LRANGE|HGETALL) [\w:.*-]{1,80})\r\n\s{0,4}$/;
const ownCommand = /^[\w:.-]{1,60}\r\n([A-Z]{3,9})(?: \S{1,80}){1,8}\r\n\s{0,4}$/;
/** The rest of a storage command, its data, and another command of memcached. */
const memcachedChain =
  /^\s{0,8}\S{1,250} {1,3}\d{1,10} {1,3}\d{1,10} {1,3}\d{1,10}\r\n\S{0,80}\r\n(?:get|gets|delete|set|flush_all)\b/i;
const commands: readonly RegExp[] = [
  redisCommand,
  respFrame,
  memcachedStorage,
  inlineCommand,
  memcachedChain,
];

/** A line break and a command of a key-value store, as values reach it through a line protocol. */
export const lineProtocol: ValueRule = {
  id: 'nosqli.line-protocol',
  cwe: 'CWE-93',
  severity: 'high',
  score: confidence.strong,
  message: 'ends its line and adds a command of a key-value store',
  trigger: { literals: [lineStarts] },
  examples: [
    'a\r\nCONFIG SET dir /srv\r\n',
    'k\nFLUSHALL\n',
    '*1\r\n$8\r\nFLUSHALL\r\n',
    'k\r\nset admin 0 60 1\r\n1\r\n',
    'x\nEVAL "return 1" 0\n',
    'a\r\nSET session:1 root\r\n',
    'a\r\nDEL session:1\r\n',
    'a 0 0 1\r\nx\r\nget secret',
    'a\r\nHSET user:1 role admin\r\n',
    'a\r\nACL SETUSER ann on nopass ~* +@all\r\n',
    'a\r\nDEBUG SLEEP 10\r\n',
    'a\r\nstats cachedump 1 1\r\n',
    'a\r\nflush_all\r\n',
  ],
  lookalikes: [
    'To do:\nset the table\nadd 2 eggs',
    'Notes\nconfig settings are fine\nflush the pipes',
    'Steps:\n1. redis-cli> CONFIG SET maxmemory 1gb',
    'replace 2 tyres\nappend the bill',
    'Notes\r\nSET alarm clock\r\nGET milk\r\n',
    'Monday\r\nget milk\r\n',
    'Notes on Redis\r\nHSET user:1 name Anna sets a field\r\n',
    'SCRIPT\r\nSCRIPT LOAD failed',
    'Client list\nclient killed the order\nstats: 5',
    'Run\nconfig set registry https://a.test\neval "$(ssh-agent)"',
  ],
  judge(subject): Match | undefined {
    for (const command of commands) {
      const found = command.exec(subject.text);
      if (found !== null) return foundBy(found);
    }
    const own = ownCommand.exec(subject.text);
    return ownCommands.includes(own?.[1] ?? '') ? foundBy(own) : undefined;
  },
};
