import { wordSet } from '../text/words.ts';

/** Character sets of MySQL and MariaDB (`SHOW CHARACTER SET`), which introduce a literal: `_latin1'x'`. */
export const characterSets: ReadonlySet<string> = wordSet(
  'armscii8 ascii big5 binary cp1250 cp1251 cp1256 cp1257 cp850 cp852 cp866 cp932 dec8 eucjpms euckr filename',
  'gb18030 gb2312 gbk geostd8 greek hebrew hp8 keybcs2 koi8r koi8u latin1 latin2 latin5 latin7',
  'macce macroman sjis swe7 tis620 ucs2 ujis utf16 utf16le utf32 utf8 utf8mb3 utf8mb4',
);

/** Types of PostgreSQL (`pg_type`) whose names no prose has, and of MySQL and SQLite. */
export const sqlTypes: ReadonlySet<string> = wordSet(
  'int int2 int4 int8 integer bigint smallint varchar float4 float8 numeric bool boolean timestamp',
  'timestamptz timetz interval bytea uuid json jsonb oid bpchar varbit cidr inet macaddr macaddr8',
  'tsvector tsquery lseg int4range int8range numrange daterange tsrange tstzrange date nchar',
  'int4multirange int8multirange nummultirange datemultirange tsmultirange tstzmultirange',
  'aclitem cid int2vector jsonpath oidvector pg_lsn pg_snapshot refcursor regclass regcollation',
  'regconfig regdictionary regnamespace regoper regoperator regproc regprocedure regrole regtype',
  'tid txid_snapshot xid xid8',
);

/** The same that are words of prose: only right before the literal. */
export const spokenSqlTypes: ReadonlySet<string> = wordSet(
  'text float decimal dec real time name money point line box path polygon circle bit xml char',
  'character varying precision zone',
);
