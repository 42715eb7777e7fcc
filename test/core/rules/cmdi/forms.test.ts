import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaultPolicy } from '../../../../src/contract/policy.ts';
import { noContext } from '../../../../src/contract/request.ts';
import { createEngine } from '../../../../src/core/engine.ts';

const engine = createEngine();

function decisionOn(value: string): string {
  const body = JSON.stringify({ value });
  const result = engine.screen({ body, context: noContext }, defaultPolicy);
  return result.kind === 'verdict' ? result.verdict.decision : result.kind;
}

describe('forms of shell commands', () => {
  /** The shells of `bench/redteam` run each of them, or one that they stand for. */
  const attacks: readonly string[] = [
    'x;(cat)</etc/hosts',
    'x;cat $() `` /etc/hosts',
    'x;echo id|$0',
    'x;echo id|$0 -',
    'x;echo id|exec $0',
    "x|$0 ''-c id",
    'x;${0##*/} -c id',
    'x;$(basename $0) -c id',
    'x;/{b,}in/id',
    "x;trap 'i''d' EXIT",
    'x;function f { id; };f',
    'x;coproc X { id; }',
    'x;for ((i=0;i<1;i++));do id;done',
    'x;${#+id}',
    'x;=id',
    'x&wsl id',
    'x;"$0" -c id',
    'x;umask 0;id',
    'x;(id)>&2',
    "The lamp came in a box that was much too large';trap id 0;echo 'so",
    "The lamp came in a box that was much too large';echo id|exec $0;echo 'so",
    'x;time -p id',
    'x;timeout -s KILL 5 cat a.txt',
    "x;env -u A -S 'cat a.txt'",
    'x;repeat 1 id',
    'x;f(){ "$@";};f id',
    'x;for c in whoami;{ $c;}',
    'x;: ${a:=id};$a',
    'x;: id;$_',
    'x;hash -r;id',
    'example.com;wait;id',
    'x;ruby <<E\nputs 1\nE',
    `x;eval 'i'"d"`,
    'x;$(:>/dev/null)id',
    'x;case x in y) :;; *) id;;esac',
    'x;case $1 in a) ls;; "") id;;esac',
    'x;case $1 in a) :;;& *) id;;esac',
    "x;'f'() { id;};f",
    "x;$'f'(){ id;};f",
    'x;i$(if :;then :;fi)d',
    'x;i`2>&1 :`d',
    "x;'.' /etc/hosts",
    '. //etc/hosts;x;. //etc/hosts',
    'x;eval \'"i"d\'',
    'x&env ;if :;then :;fi',
    "x;cat 'no''tes.md'",
    "x;cat 'no'\\tes.md",
    'x;case $1 in a) id;; esac;id',
    "x\n{ echo 'id'|rev|sh;}",
    '10.0.0.1\necho id | (sh)',
    'photo`echo nohup -- sleep 8|xargs nice`',
    '`echo id|rev|sh|crontab -`',
    'x$(while whoami;do break;done)',
    'x$(( $(reboot) + 2))',
    'x`! sleep 2`',
    '$(nice -n 5 sleep $((0x5)))',
    '$(x=5 touch uploads/tea.sh)',
    'x;[[ a[$(id)] -eq 1 ]]',
    "x;trap '`id`' 0",
    'x;case $(id) in *)esac',
    '1$(trap "ls -la /" 0)',
    'x;set a b id;shift 2;$1',
    'x;a=([1]=id);${a[1]}',
    'x;mapfile -t a<<<id;$a',
    'x;getopts a: x -aid;$OPTARG',
    ';export a=id;$a',
    'x && timeout 5 ps -ef',
    `x;timeout 5${`$${'A'.repeat(31)}`.repeat(30)} id`,
    'x | read a</etc/passwd',
    'x;tou${y}ch a.php',
    'x & ${y:-uname} -a',
    'x;$(echo di|rev) -u',
    "x';2>&1 reboot||'",
    'x & while uptime;do break;done #',
    'x;case 1 in *)id -u;;esac',
    'x; for i in 1;do ps -ef;done',
    'x;f(){ ls -la /tmp;};f',
    '$(c""at /etc/hosts)',
    'x`ping -c 3 127.0.0.1`',
    'x;i{d,}',
    'x;f() id;f',
    'x;for a in id;do $a;done',
    'x;case x in y);;x)id;;esac',
    '10.0.0.1; touch a',
    'x;echo id|xargs nice',
    "10.0.0.1 | echo sh -u -c 'id'|xargs nice",
  ];
  for (const value of attacks) {
    it(`blocks ${JSON.stringify(value)}`, () => assert.equal(decisionOn(value), 'block'));
  }

  const nearMisses: readonly string[] = [
    'The cats; cat `` is how it is written',
    'nice; time 5 id',
    'name;type;id',
    'const a=1;let b=2;id',
    'known: php; python -',
    'Run this:\ncat <<EOF | sh\nid\nEOF',
    'a;;b) id;;c) ls',
    'say(){ echo $1;}; say hi',
    'Fixed it; timeout to test it again',
    'echo chamber; docker | python3',
    'Music; trap top 10',
    'let x = 5; trap handler; date',
    'mkdir -p src/{a,b,c}; touch src/{a,b}/index.ts',
    "a;{b,c}d and {,i,j}; trap 'cleanup' EXIT",
    'sums; =SUM(A1)',
    'page; render() date',
    'Case closed; case id in point',
    'Show ${0##*/} -h; ${#items} of them',
    'Run this:\ncase $1 in\n a) id;;\n b) ls;;\nesac',
    'See it:\ncase "$1" in start) service x start;; stop) service x stop;; esac',
    '`for f in *; { echo $f; }`',
    'See heredoc:\nEOF\nis the mark; cat it',
    'Please try\necho $0 | xargs basename',
    "import a from 'b'; { id }",
    'a && { id }',
    'aliases[name]=id; name',
    'x; call repeat offenders',
    'a; time flock of birds',
  ];
  for (const value of nearMisses) {
    it(`allows ${JSON.stringify(value)}`, () => assert.equal(decisionOn(value), 'allow'));
  }
});
