import { wordList } from '../../text/words.ts';

/**
 * The words of SQL that the detector tells apart, over the dialects of MySQL and MariaDB,
 * PostgreSQL, SQL Server, Oracle, SQLite, DB2, Firebird and HSQLDB. A class says what a word does
 * in a statement; every word that is not listed is a name.
 */
export const sqlWord = {
  name: 0,
  or: 1,
  and: 2,
  xor: 3,
  not: 4,
  /** LIKE and its relatives: a comparison spelled as a word. */
  like: 5,
  in: 6,
  is: 7,
  between: 8,
  /** DIV, MOD. */
  arithmetic: 9,
  /** COLLATE, ESCAPE: one more word or literal, then the expression goes on. */
  suffix: 10,
  /** NULL, TRUE, FALSE. */
  constant: 11,
  /** UNION, EXCEPT, INTERSECT, MINUS. */
  union: 12,
  /** ALL, DISTINCT, ANY, SOME. */
  quantifier: 13,
  select: 14,
  from: 15,
  where: 16,
  group: 17,
  order: 18,
  by: 19,
  having: 20,
  limit: 21,
  procedure: 22,
  into: 23,
  outfile: 24,
  values: 25,
  table: 26,
  as: 27,
  case: 28,
  /** WHEN, THEN, ELSE. */
  branch: 29,
  end: 32,
  exists: 33,
  insert: 34,
  update: 35,
  delete: 36,
  drop: 37,
  create: 38,
  alter: 39,
  truncate: 40,
  exec: 41,
  declare: 42,
  set: 43,
  call: 44,
  begin: 45,
  shutdown: 46,
  waitfor: 47,
  /** DELAY, TIME: the two forms of WAITFOR. */
  delay: 48,
  /** IF, IIF, CASE-like functions: IFNULL, NVL, DECODE. */
  flow: 49,
  grant: 50,
  replace: 51,
  /** SHOW, DESCRIBE, EXPLAIN. */
  show: 52,
  /** Further words that begin a statement. */
  statement: 53,
  join: 54,
  on: 55,
  /** Words that can stand before an operand: BINARY. */
  prefix: 56,
  asc: 57,
  /** DATABASE, USER, VIEW, INDEX ...: what CREATE, DROP and ALTER act on. */
  object: 58,
  separator: 59,
  for: 60,
  /** CURRENT_USER and others that are calls without parentheses. */
  niladic: 61,
  with: 62,
  offset: 63,
  to: 64,
  /** The same with a number of their own: TOP 1, INTERVAL 1. */
  counted: 65,
  /** Functions that wait. */
  timeCall: 70,
  /** Functions whose errors carry data. */
  errorCall: 71,
  /** Functions that reach files or other machines. */
  outsideCall: 72,
  /** Functions that name the server, the database or the user. */
  infoCall: 73,
  /** Functions on text and numbers. */
  textCall: 74,
  /** SLEEP and others that other languages have too. */
  sharedTimeCall: 75,
  /** Packages whose members are called: DBMS_PIPE, UTL_HTTP. */
  package: 76,
  /** Tables and schemas of the server itself. */
  catalogue: 77,
  /** Stored procedures of SQL Server that reach the system. */
  serverProcedure: 78,
} as const;

/** Words that are a class of their own, by its name. */
const own = wordList(
  'or and xor not in between select from where group order by having offset procedure',
  'values table as case end exists insert update delete drop create alter truncate declare',
  'set call begin shutdown waitfor replace asc separator for with to',
) as readonly (keyof typeof sqlWord)[];

const vocabulary: readonly (readonly [number, ...string[]])[] = [
  ...own.map((word) => [sqlWord[word], word] as const),
  [
    sqlWord.like,
    'like ilike rlike regexp glob match sounds similar overlaps contains likec like2 like4',
  ],
  [sqlWord.is, 'is isnull notnull'],
  [sqlWord.arithmetic, 'div mod'],
  [sqlWord.suffix, 'collate escape uescape'],
  [sqlWord.constant, 'null true false unknown'],
  [sqlWord.union, 'union except intersect minus'],
  [sqlWord.quantifier, 'all distinct distinctrow any some'],
  [sqlWord.limit, 'limit fetch'],
  [sqlWord.into, 'into returning'],
  [sqlWord.outfile, 'outfile dumpfile'],
  [sqlWord.branch, 'when then else'],
  [sqlWord.exec, 'exec execute'],
  [sqlWord.delay, 'delay time'],
  [sqlWord.flow, 'if iif ifnull nullif nvl nvl2 coalesce decode choose'],
  [sqlWord.grant, 'grant revoke'],
  [sqlWord.show, 'show describe desc explain'],
  [
    sqlWord.statement,
    'merge use load copy do handler rename kill backup restore reconfigure print dbcc',
    'bulk rollback commit prepare deallocate attach detach pragma vacuum analyze lock',
    'unlock flush reset optimize repair raiserror goto while return notify listen',
    'reindex savepoint discard reassign throw deny revert setuser checkpoint purge flashback',
    'noaudit writetext updatetext readtext repeat loop checksum check refresh install uninstall comment',
  ],
  [sqlWord.join, 'join inner outer cross natural straight_join'],
  [sqlWord.on, 'on using'],
  [
    sqlWord.prefix,
    'binary sql_no_cache sql_cache sql_small_result sql_big_result sql_buffer_result',
    'sql_calc_found_rows high_priority symmetric asymmetric',
  ],
  [sqlWord.counted, 'interval top'],
  [
    sqlWord.object,
    'database schema user login role view index function trigger temporary sequence',
    'tablespace global constraint column type extension event server synonym directory',
  ],
  [
    sqlWord.niladic,
    'current_user session_user system_user current_date current_time current_timestamp',
    'utc_date utc_time current_database current_schema current_catalog localtime',
    'localtimestamp sysdate systimestamp utc_timestamp current_role',
  ],
  [
    sqlWord.timeCall,
    'benchmark pg_sleep pg_sleep_for pg_sleep_until randomblob zeroblob receive_message',
    'generate_series get_lock rlike_sleep sleepasync xp_sleep',
  ],
  [sqlWord.sharedTimeCall, 'sleep'],
  [
    sqlWord.errorCall,
    'extractvalue updatexml gtid_subset gtid_subtract name_const geometrycollection multipoint',
    'multilinestring multipolygon st_latfromgeohash st_longfromgeohash st_pointfromgeohash',
    'st_geomfromgeojson drithsx get_host_address get_host_name sqlid_to_sqlhash getmappingxpath',
    'query_to_xmlschema query_to_xml_and_xmlschema table_to_xml_and_xmlschema schema_to_xml',
    'database_to_xml_and_xmlschema cursor_to_xml xmltype regexp_substring crypt_key fn_sqlvarbasetostr bin_to_uuid uuid_to_bin json_keys',
    'json_storage_size json_storage_free query_to_xml database_to_xml table_to_xml xmlquery',
    'to_json dbms_xmlgen getxml',
  ],
  [
    sqlWord.outsideCall,
    'load_file utl_http utl_inaddr utl_smtp utl_tcp utl_file httpuritype openrowset',
    'opendatasource openquery dblink dblink_connect dblink_exec lo_import lo_export',
    'pg_read_file pg_read_binary_file pg_ls_dir pg_stat_file load_extension readfile',
    'writefile fn_xe_file_target_read_file fn_get_audit_file fn_trace_gettable',
    'fn_dump_dblog sys_eval sys_exec sys_get bfilename dbms_ldap',
  ],
  [
    sqlWord.infoCall,
    'version db_name db_id user_name user_id suser_name suser_sname suser_id host_name',
    'host_id object_name object_id col_name col_length sqlite_version current_setting',
    'has_dbaccess is_srvrolemember is_member serverproperty connectionproperty',
    'original_login pg_backend_pid pg_current_logfile inet_server_addr inet_server_port',
    'sys_context userenv last_insert_rowid total_changes last_insert_id row_count found_rows connection_id uuid_short schema_name',
    'app_name getpgusername quote_ident charset coercibility collation to_regclass to_regtype',
  ],
  [
    sqlWord.textCall,
    'pi now getdate getutcdate char nchar chr unichr ascii unicode ord substr substring substrb',
    'mid left right locate instr position charindex patindex strpos concat concat_ws group_concat',
    'wm_concat listagg string_agg array_agg xmlagg array_to_string array_to_json row_to_json',
    'string_to_array hex unhex to_hex bin oct conv md5 sha sha1 sha2 hashbytes crc32 encode',
    'aes_encrypt aes_decrypt des_encrypt compress uncompress to_base64 from_base64 length len',
    'char_length character_length octet_length bit_length lower upper lcase ucase ltrim rtrim trim',
    'lpad rpad repeat replicate reverse space elt field make_set export_set find_in_set quote',
    'soundex stuff str count sum avg min max floor ceil ceiling round rand random exp power pow',
    'sqrt abs sign cos sin tan log convert cast try_cast try_convert to_char to_number to_date',
    'rawtohex utl_raw cast_to_varchar2 json_extract json_value json_query json_array json_object',
    'json_length json_type json_depth json_contains json_unquote json_set json_each',
    'jsonb_path_query jsonb_build_object regexp_like regexp_substr regexp_instr regexp_replace',
    'regexp_count strcmp greatest least row_number rank isnumeric newid checksum dateadd datediff',
    'datename datepart typeof likelihood likely unlikely printf total changes hex_decode bitand',
    'inet_aton inet_ntoa uuid polygon linestring point analyse row strftime julianday quotename',
    'format translate initcap asciistr convert_from any_value json_arrayagg json_objectagg',
    'fn_varbintohexstr sql_variant_property database_principal_id rowid',
  ],
  [
    sqlWord.package,
    'dbms_pipe dbms_lock dbms_session dbms_utility dbms_xmlquery dbms_java dbms_scheduler',
    'dbms_export_extension dbms_cdc_publish dbms_assert dbms_metadata dbms_sql user_lock',
    'ctxsys ordsys dbms_xslprocessor dbms_advisor dbms_java_test dbms_job dbms_repcat dbms_system',
    'dbms_backup_restore',
  ],
  [
    sqlWord.serverProcedure,
    'xp_cmdshell xp_dirtree xp_fileexist xp_subdirs xp_regread xp_regwrite xp_regdeletekey',
    'xp_regdeletevalue xp_regenumvalues xp_servicecontrol xp_loginconfig xp_availablemedia',
    'xp_enumgroups xp_enumdsn xp_getfiledetails xp_ntsec_enumdomains xp_makecab',
    'xp_terminate_process sp_oacreate sp_oamethod sp_configure sp_executesql sp_addextendedproc',
    'sp_addlogin sp_addsrvrolemember sp_makewebtask sp_execute_external_script sp_start_job',
    'sp_add_job sp_add_jobstep sp_adduser sp_password sp_who',
  ],
  [
    sqlWord.catalogue,
    'information_schema sysobjects syscolumns sysusers syslogins sysdatabases sysservers',
    'sysprocesses syscomments syscat sysibm sysproc sys pg_catalog pg_tables pg_user pg_shadow',
    'pg_database pg_class pg_namespace pg_attribute pg_roles pg_authid pg_stat_activity',
    'pg_largeobject all_tables all_users all_tab_columns all_objects all_col_comments user_tables',
    'user_tab_columns user_objects user_users dba_users dba_tables dba_objects dual sqlite_master',
    'sqlite_schema sqlite_temp_master msysobjects msysaccessobjects master mysql',
    'performance_schema rdb$database rdb$fields rdb$relations rdb$types rdb$collations',
    'rdb$functions v$version v$instance v$session v$database v$parameter global_name systables',
    'system_users innodb_table_stats msdb tempdb schemata session_privs user_role_privs',
    'product_component_version',
  ],
];

interface WordTable {
  readonly hashes: Int32Array;
  readonly classes: Uint8Array;
  /** 0 where the slot is free. */
  readonly lengths: Uint8Array;
  readonly words: string[];
}

const tableSize = 4096;
const words: WordTable = buildTable();

function buildTable(): WordTable {
  const table: WordTable = {
    hashes: new Int32Array(tableSize),
    classes: new Uint8Array(tableSize),
    lengths: new Uint8Array(tableSize),
    words: new Array<string>(tableSize).fill(''),
  };
  for (const [wordClass, ...lines] of vocabulary) {
    for (const word of wordList(...lines)) addWord(table, word, wordClass);
  }
  return table;
}

/** Where a word is listed twice, its first class counts. */
function addWord(table: WordTable, word: string, wordClass: number): void {
  const hash = hashWord(word, 0, word.length);
  let slot = slotOf(hash);
  while (table.lengths[slot] !== 0) {
    if (table.words[slot] === word) return;
    slot = (slot + 1) & (tableSize - 1);
  }
  table.hashes[slot] = hash;
  table.classes[slot] = wordClass;
  table.lengths[slot] = word.length;
  table.words[slot] = word;
}

/** Case-folded hash of a part of a text. ASCII letters fold; other characters hash as they are. */
function hashWord(text: string, start: number, end: number): number {
  let hash = 0;
  for (let i = start; i < end; i++) hash = foldHash(hash, text.charCodeAt(i));
  return hash;
}

/** Takes one more character into the hash of a word. */
function foldHash(hash: number, code: number): number {
  return (Math.imul(hash, 31) + (code | 32)) | 0;
}

/**
 * False for nearly all names: no listed word has this length, first and last character together.
 */
function mayBeListed(text: string, start: number, end: number): boolean {
  const ends = endsOf(text.charCodeAt(start), text.charCodeAt(end - 1));
  return ((lengthsByEnds[ends] as number) & (1 << (end - start))) !== 0;
}

function endsOf(first: number, last: number): number {
  return ((first & 31) << 5) | (last & 31);
}

/** Lengths of the listed words, as bits, by their first and last characters. */
const lengthsByEnds: Int32Array = buildLengths();

function buildLengths(): Int32Array {
  const table = new Int32Array(1_024);
  for (const word of words.words) {
    if (word === '') continue;
    const ends = endsOf(word.charCodeAt(0), word.charCodeAt(word.length - 1));
    table[ends] = (table[ends] as number) | (1 << word.length);
  }
  return table;
}

/** Longer words are names: no need to look them up. */
const wordLengthMax = 30;

/**
 * The class of the word that a part of a text spells, in any case; `sqlWord.name` when it is not
 * listed.
 */
export function classOfWord(text: string, start: number, end: number): number {
  if (end - start > wordLengthMax || !mayBeListed(text, start, end)) return sqlWord.name;
  const hash = hashWord(text, start, end);
  let slot = slotOf(hash);
  while (words.lengths[slot] !== 0) {
    // Hashes differ for nearly all names, so that few are compared as text.
    if (words.hashes[slot] === hash && sameWord(text, start, end, words.words[slot] as string)) {
      return words.classes[slot] as number;
    }
    slot = (slot + 1) & (tableSize - 1);
  }
  return sqlWord.name;
}

function slotOf(hash: number): number {
  return (hash ^ (hash >>> 15)) & (tableSize - 1);
}

/** The listed words of a class, for triggers. */
export function wordsOf(wordClass: number): readonly string[] {
  return words.words
    .filter((word, slot) => word !== '' && words.classes[slot] === wordClass)
    .sort();
}

/** True when the part of the text is the word, in any case. The word is lower case ASCII. */
export function sameWord(text: string, start: number, end: number, word: string): boolean {
  if (end - start !== word.length) return false;
  for (let i = 0; i < word.length; i++) {
    const code = text.charCodeAt(start + i);
    const folded = code >= 65 && code <= 90 ? code + 32 : code;
    if (folded !== word.charCodeAt(i)) return false;
  }
  return true;
}
