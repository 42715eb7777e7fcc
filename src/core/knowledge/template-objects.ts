import { isWord } from '../text/char-class.ts';
import { createWordTable, type WordTable } from '../text/word-table.ts';
import { wordList, wordMap, wordSet } from '../text/words.ts';

/** Attributes of Python objects by which an expression walks to what it must not reach. */
export const pythonAttributes: ReadonlySet<string> = wordSet(
  `__class__ __mro__ __base__ __bases__ __subclasses__ __globals__ __builtins__
     __builtin__ __init__ __import__ __dict__ __getattribute__ __getattr__ __getitem__
     __reduce__ __reduce_ex__ __doc__ __self__ __func__ __code__ __closure__ __module__
     __loader__ __spec__ __call__ __new__ __del__ __enter__ func_globals func_code
     gi_frame gi_code f_globals f_locals f_back f_builtins im_func im_self mro
     __subclasshook__ _TemplateReference__context _NSAttr__parent`,
);

/** Functions and methods that no template of a user calls. */
export const dangerousCalls: ReadonlySet<string> = wordSet(
  `system exec shell_exec passthru popen popen2 popen3 proc_open pcntl_exec eval assert
     execsync spawn spawnsync execfile readfile file_get_contents file_put_contents fopen
     fpassthru highlight_file show_source phpinfo call_user_func call_user_func_array
     create_function ini_set ini_get getenv putenv base64_decode md5 posix_getpwuid
     scandir opendir unlink __import__ import_module check_output check_call communicate
     getruntime forname getclass getclassloader loadclass newinstance getenginebyname
     getmethod getmethods getdeclaredmethod getdeclaredmethods getdeclaredconstructor
     getdeclaredconstructors getconstructor getconstructors invoke getprotectiondomain
     setaccessible processbuilder getresource getresourceasstream getdeclaredfield
     inputstreamreader readlines instance_eval class_eval module_eval const_get
     instance_variable_get template_from_string file_excerpt
     registerundefinedfiltercallback registerundefinedfunctioncallback getfilter
     getfunction setcache loadtemplate enabledebug getsourcecontext readalltext
     readalllines getstreamvariable writefile clearconfig readfilesync readfile
     writefilesync _load binding getbuiltinmodule fromcharcode get_env evaluate_twig
     evaluate_twig_string getbean getbeanfactory gettemplatefilter
     addafterfiltercallback`,
);

/** Tags of Smarty that reach out, with their attribute; a path of the server in any other one, too. */
export const smartyTags: ReadonlyMap<string, string> = new Map([
  ['include', 'file'],
  ['include_php', 'file'],
  ['fetch', 'file'],
  ['eval', 'var'],
  ['math', 'equation'],
  ['insert', 'script'],
  ['config_load', ''],
  ['extends', ''],
]);

/** What an expression in single braces begins with, the class `Smarty_…` apart. */
export const bracedNames: readonly string[] = [
  ...[...dangerousCalls, ...smartyTags.keys()],
  ...wordList('assign elseif foreach if include_php php self smarty while'),
];

const bracedTable: WordTable = createWordTable(bracedNames);
const smartyClass = /^smarty_/i;

/** A tag of Smarty or a call; other languages put much between braces. */
export function namesBraced(text: string, start: number): boolean {
  let end = start;
  while (isWord(text.charCodeAt(end))) end++;
  return (
    bracedTable.wordBetween(text, start, end) !== '' || smartyClass.test(text.slice(start, end))
  );
}

/** Functions of which the name alone, as a string beside a filter, is the attack. */
export const dangerousNames: WordTable = createWordTable(
  wordList(
    `system exec shell_exec passthru popen proc_open pcntl_exec eval assert phpinfo
     readfile file_get_contents file_put_contents call_user_func call_user_func_array
     create_function ini_set error_reporting os subprocess unlink var_dump print_r
     show_source highlight_file include require constructor __proto__`,
  ),
);

/** Members that hold the secret of a framework, whatever the way to them is. */
export const secretMembers: ReadonlySet<string> = wordSet(
  'signer secret_key secretkey _wrapped session_cookie_name app_key app_config _registry',
);

/** Modules and classes; the name of one inside of an expression is enough. */
export const dangerousObjects: ReadonlySet<string> = wordSet(
  `child_process mainmodule processbuilder scriptenginemanager runtime
     objectconstructor freemarkerconfig objectwrapper jythonruntime _memberaccess
     servletactioncontext ognlcontext groovyshell urlclassloader templatesimpl
     smarty_internal_write_file smarty_internal_data`,
);

/**
 * Objects that the engine itself puts into every template, with the members that give them
 * away; `*` for any. Members of Python (`__globals__`) do of each.
 */
export const engineObjects: ReadonlyMap<string, readonly string[]> = wordMap<readonly string[]>(
  [[], 'lipsum cycler joiner namespace'],
  [['*'], 'url_for get_flashed_messages current_app tornado'],
  [
    ['*', ''],
    `_self _context applicationscope sessionscope requestscope pagescope pagecontext facescontext
     initparam headervalues paramvalues $smarty`,
  ],
  [
    [
      ...wordList(
        'items iteritems itervalues values keys from_object from_pyfile from_envvar',
        'secret_key from_mapping from_json from_file from_prefixed_env get_namespace copy',
        'setdefault popitem to_a to_h inspect update pop',
      ),
      '',
    ],
    'config',
  ],
  [wordList('module attr context template init request'), 'self'],
  [
    wordList(
      'application environ __class__ attr server _get_data_for_json _load_form_data',
      'authorization getsession getservletcontext getparameter getattribute getrealpath',
      'getservletpath servletcontext',
    ),
    'request',
  ],
  [wordList('getattribute setattribute getservletcontext invalidate getclass'), 'session'],
  [wordList('getwriter addheader setheader sendredirect getoutputstream'), 'response'],
  [wordList('settings application request'), 'handler'],
  [wordList('secret_key database_url databases'), 'settings'],
  [['config'], 'app'],
  [['pop', 'get'], 'g'],
  [wordList('storages _loaded_data _queued_messages'), 'messages'],
  [['app'], 'craft'],
  [['get', '*'], 'beans'],
  [wordList('config twig grav'), 'grav'],
  [wordList('cmd cmd.run cmd.shell cmd.run_all cmd.script cmd.exec_code'), 'salt'],
  [wordList('root option users'), 'kirby'],
);
