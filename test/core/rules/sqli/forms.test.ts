import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaultPolicy } from '../../../../src/contract/policy.ts';
import { noContext } from '../../../../src/contract/request.ts';
import { createEngine } from '../../../../src/core/engine.ts';

const engine = createEngine();

function isBlocked(member: string, value: string): boolean {
  const body = JSON.stringify({ [member]: value });
  const result = engine.screen({ body, context: noContext }, defaultPolicy);
  return result.kind === 'verdict' && result.verdict.decision === 'block';
}

/** Name of a field, values that work in SQLite, PostgreSQL or MariaDB, and benign ones like them. */
const forms: readonly {
  readonly name: string;
  readonly member: string;
  readonly attacks: readonly string[];
  readonly nearMisses: readonly string[];
}[] = [
  {
    name: 'a statement on the line behind a line comment',
    member: 'query.from',
    attacks: [
      'letter\ndelete from orders;',
      'r\n/**/drop table users\0',
      '\nvacuum;',
      'r\ncreate index z on users(id)/*a',
      'r\ndo $$begin perform pg_sleep(1);end$$;',
      '\ntruncate users;--',
      'r\nvalues(sleep(1));-- a',
    ],
    nearMisses: [
      ...['the letter\nset the table;', 'r\ncall me later;', '\nlock the door', 'a\nuse; b'],
      ...['Monday\ncall Ann;', 'r\nshow slides;', '\ncommit changes;'],
    ],
  },
  {
    name: 'the same in a body, where lines are usual',
    member: 'body.text',
    attacks: ['r\ncreate table z(a int)/*', '\ndrop table users;--'],
    nearMisses: ['Query\ndelete from orders where id=5;', 'Hi\nshow tables;', '\nuse strict;'],
  },
  {
    name: 'a clause behind the end of a block comment',
    member: 'query.from',
    attacks: ["*/where''>0;", 'letter*/limit 9,1;', '*/order by(select pin from users)-- a'],
    nearMisses: [
      '*/ limit 5 -- x',
      '*/ order by name;',
      '*/ and so on;',
      '*/ join us;',
      '*/ group by team -- done',
    ],
  },
  {
    name: 'a column and what compares it, for the number of a row',
    member: 'query.id',
    attacks: [
      'rowid between 0 and 2',
      'id is distinct from 1',
      'products.id not between 3 and 4',
      "id|length('')",
      'id<>-(values(1))',
      '_utf8mb4 0x1 is not unknown',
      'version()',
    ],
    nearMisses: [
      ...['what is love', 'cat like dog', 'auth0|5f7c8ec7', 'meeting between Ann and Bob'],
      ...[
        "why?' and then",
        'what-is-count(star)',
        'rock and roll (live)',
        'a&b=c(d)',
        'uuid()',
        'in.(1,2,3)',
      ],
    ],
  },
  {
    name: 'what a server or a window computes, for a column',
    member: 'query.field',
    attacks: ['count(*)over()', 'total_changes()', '-database()', 'case when 1 then id end'],
    nearMisses: [
      'count(*)',
      'id,version(major,minor)',
      'picture.type(large)',
      'Name, Age (over 5)',
    ],
  },
  {
    name: 'the rest of a query behind a name',
    member: 'q',
    attacks: ['name from goods limit 9,1;', 'name from goods where id in(select 1);'],
    nearMisses: ['users from London limit 5;', 'the speed limit is 9;', 'letter from Ann;'],
  },
  {
    name: 'the rest of a statement',
    member: 'value',
    attacks: [
      ...["pear' THEN 1 ELSE 0 END FROM goods; and so on", "pear' FROM goods WHERE sold=0; 'x"],
      "size') FROM goods; -- thanks, Ruth",
      'see\nSELECT 1,pin,NULL FROM staff UNION ALL -- (note 3)',
      'see--\nselect--\n1,pin,9--\nfrom--\nstaff--\nunion--\nall--\n-- ',
      "lamp' THEN 1. ELSE 0. END FROM goods --",
      "lamp' THEN '1'::int%29 ELSE int'0' END FROM goods --",
      ...[
        "fine', .7e1, 0e0),($a$red$a$, .3e1, 1e0);-- ",
        'title"\nfrom goods*\nwhere sold=0\n--\t',
      ],
      ...[
        '[pin] FROM [staff]-- ',
        '"pin" FROM ("staff");-- ',
        "Fond of tea' WHERE id>0;  and so on",
      ],
      "fine', 7, 0),('home', 2, 1); and so on",
      ...['name" FROM goods LEFT JOIN (SELECT 67 a) b ON 1=1;--', "home');", '"from goods;'],
      ...[
        '"from goods where (7=7)=case when not sold then 2 else 5 end;',
        '0*/--',
        "',password='''",
      ],
      ...["')from`goods`q-- ", ">'),(greatest(2,0),(0),'"],
      "'),((2),(0),'There are so many of these lamps in the house that one cannot count them all, not even on a long day, said Ruth, and went",
      ...["pen'from goods\0", "e')FROM goods as ''/*", "e')FROM [goods] [] where sold=0/*"],
      ...["' THEN 2 END FROM goods v not indexed--", "' THEN 2 END FROM goods*cross join staff--"],
      ...['*/--t', '"""""""""\'),((7),(1),\'', "(cast(''as l)),cast(''as)),(7,'')/*"],
      'name" from ONLY PUBLIC.goods where exists(select 1);',
      ...[
        'name" from goods JOIN (SELECT 7) on sold is null;n',
        '\nselect 1,2,pin\nfrom staff union',
      ],
      ...["why?' THEN 1%60 END FROM goods #", "',4,1);", "';", "admin';"],
      ...['name"FROM goods CROSS JOIN(SELECT)q--', "'THEN 0 END FROM goods USE INDEX()#"],
      '"a"b"c"d"e"f"g\' THEN 1 ELSE 0 END FROM goods --',
    ],
    nearMisses: [],
  },
  {
    name: 'numbers with a full stop',
    member: 'body.name',
    attacks: ["' or 92=--92 or '", "'isnull or 5. |'", '"OR nullif(1,2)/5. <"'],
    nearMisses: ["it's =--5 or so", "it's 5. - 6. is fine", "Ann's is 5. * see below"],
  },
  {
    name: 'ends of a statement',
    member: 'body.name',
    attacks: ["bruno';;--", "home') --h", "'from products --v N", "x'))for update--a"],
    nearMisses: ["(the boys') --help", "James' for update -- later"],
  },
  {
    name: 'statements of one server',
    member: 'body.item',
    attacks: [
      "x';check table users;",
      "x';call z;",
      '1;call z;',
      "';attach''as x;",
      "';attach cast(''as a)as``;",
      "x'; select all --e",
    ],
    nearMisses: [
      ...['12;call mom', '5; call Ann;', '0176 123; call back;'],
      'order; check table 7; pay',
      "the boys'; attach files as pdf",
      "x'; select all",
    ],
  },
  {
    name: 'a name and a clause behind it in a field of words',
    member: 'query.q',
    attacks: ['max(pin) from staff limit 9;', 'a/**/from/**/staff/**/order/**/by/**/1;'],
    nearMisses: ['users from London limit 5;', 'Letter from Ann;'],
  },
  {
    name: 'base64 between other characters',
    member: 'query.name',
    attacks: [
      'aG9tZScgdW5pb24gIHNlbGVjd%CA2MCwgYm9keSwgOTggZnJvbSBjb21tZW50cyB3aGVyZSBvd25lciA9IDE7LS0xJ%x%S%n%k%c%r%AL%I%K%E%/%u%x%',
    ],
    nearMisses: ['100% cotton % 50% off %%% sale % today % and % so % on', 'How%20are%20you%'],
  },
];

describe('forms of sql injection', () => {
  for (const { name, member, attacks, nearMisses } of forms) {
    it(name, () => {
      for (const value of attacks) assert.ok(isBlocked(member, value), `missed: ${value}`);
      for (const value of nearMisses) assert.ok(!isBlocked(member, value), `blocked: ${value}`);
    });
  }
});
