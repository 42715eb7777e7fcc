import {
  callingMethods,
  memberTakers,
  takerPaths,
  takers,
} from '../../../knowledge/engine-calls.ts';
import { wordList } from '../../../text/words.ts';

/**
 * What a function reaches, by its path in lower case and without global objects: `os.system`,
 * `file.read`. `page` and `dialog` are of a browser, and `touch` is what the scripts of a page do as well: they change
 * it, leave it, store something. All others are of a server.
 */
export type Capability =
  | 'run'
  | 'evaluate'
  | 'file'
  | 'folder'
  | 'write'
  | 'process'
  | 'network'
  | 'information'
  | 'environment'
  | 'command'
  | 'dialog'
  | 'page'
  | 'send'
  | 'touch';

const paths: Readonly<Record<Capability, string>> = {
  run: `system exec spawn popen shell_exec passthru proc_open pcntl_exec fork syscall
    os.system os.popen os.popen2 os.popen3 os.execl os.execle os.execlp os.execv os.execve os.execvp
    os.spawnl os.spawnv os.spawnvp os.posix_spawn os.startfile posix.system posix.popen
    subprocess.run subprocess.call subprocess.popen subprocess.getoutput
    subprocess.getstatusoutput subprocess.check_output subprocess.check_call pty.spawn
    commands.getoutput platform.popen io.popen process.spawn process.exec open3.capture2
    open3.capture2e open3.capture3 open3.popen2 open3.popen3 child_process.exec
    child_process.execsync child_process.execfile child_process.execfilesync child_process.spawn
    child_process.spawnsync child_process.fork pcntl_fork`,
  evaluate: `eval assert create_function instance_eval class_eval module_eval instance_exec
    execscript function generatorfunction asyncfunction $.globaleval jquery.globaleval vm.runinnewcontext
    vm.runinthiscontext`,
  file: `open file_get_contents readfile file highlight_file show_source fopen file.read file.open
    file.readlines file.binread file.foreach io.read io.readlines io.binread io.foreach io.open
    codecs.open os.open fs.readfile fs.readfilesync fs.createreadstream parse_ini_file php_strip_whitespace`,
  folder: `scandir glob opendir dir.entries dir.children dir.glob dir.each_child dir.foreach
    os.listdir os.scandir os.walk fs.readdir fs.readdirsync`,
  write: `file_put_contents fs.writefile fs.writefilesync fs.appendfile fs.appendfilesync file.write
    io.write unlink os.remove os.unlink file.delete fs.unlink fs.unlinksync move_uploaded_file`,
  process: `process.exit process.abort process.kill process.binding process.dlopen
    process.getbuiltinmodule process.mainmodule.constructor._load
    process._linkedbinding __import__`,
  network: `socket.create_connection socket.socket fsockopen pfsockopen tcpsocket.new tcpsocket.open
    urllib.request.urlopen net.connect net.createconnection http.get https.get curl_exec`,
  information: `phpinfo php_uname phpversion get_current_user get_defined_vars get_defined_functions
    getcwd sys_getloadavg phpcredits posix_getpwuid getenv os.getcwd os.getenv`,
  environment: `env.to_h env.to_a env.inspect env.keys env.values env.each env.map env.to_s
    env.select env.each_pair env.to_hash`,
  // A literal in backticks.
  command: '`',
  dialog: 'alert confirm prompt print',
  page: `document.write document.writeln document.execcommand location.assign location.replace
    document.location.assign document.location.replace location navigator.serviceworker.register`,
  send: 'fetch navigator.sendbeacon import importscripts $.getscript jquery.getscript',
  // A member of the window that nothing is known about, and names that are read as members.
  touch: `[?] with location.reload history.back history.forward history.go history.pushstate
    history.replacestate localstorage.clear localstorage.setitem localstorage.getitem
    sessionstorage.clear sessionstorage.setitem sessionstorage.getitem postmessage document.open
    customelements.define settimeout setinterval xmlhttprequest websocket eventsource sharedworker
    worker image audio rtcpeerconnection activexobject navigation.navigate document.cookie localstorage sessionstorage`,
};

/** Methods of elements that change the page or leave it. */
export const elementMethods: ReadonlySet<string> = new Set(
  wordList(`append appendchild click createcontextualfragment html insertadjacentelement insertadjacenthtml prepend remove
   insertbefore removechild replacechild replacechildren replacewith requestsubmit setattribute sethtmlunsafe submit`),
);

const table: ReadonlyMap<string, Capability> = new Map(
  (Object.keys(paths) as Capability[]).flatMap((capability) =>
    wordList(paths[capability]).map((path) => [path, capability] as const),
  ),
);

/** The capability of a function; undefined when nothing is known about it. */
export function capabilityOf(path: string): Capability | undefined {
  return table.get(path);
}

/** Functions that are given a function, or the name of one, to call it. */
export const callers: ReadonlySet<string> = new Set(
  wordList(`array_map array_filter array_walk array_reduce usort uasort uksort register_shutdown_function
   register_tick_function ob_start forward_static_call forward_static_call_array iterator_apply
   preg_replace_callback set_error_handler set_exception_handler spl_autoload_register
   array_walk_recursive array_find array_find_key array_any array_all array_diff_uassoc array_diff_ukey
   array_udiff array_udiff_assoc array_udiff_uassoc array_intersect_uassoc array_intersect_ukey
   array_uintersect array_uintersect_assoc array_uintersect_uassoc
   mb_ereg_replace_callback header_register_callback session_set_save_handler
   libxml_set_external_entity_loader callbackfilteriterator recursivecallbackfilteriterator fiber
   assert_options map filter reduce settimeout setinterval setimmediate
   queuemicrotask requestanimationframe requestidlecallback reflect.construct`),
);

/** Methods of Ruby's collections that call a block which they are given as an argument. */
export const rubyMethods: ReadonlySet<string> = new Set(
  wordList('each select tap inject collect any all none'),
);

/** Functions that give a member, a module, or call what they are given. */
const structural =
  'call apply bind invoke invokeargs __call__ __invoke send __send__ public_send method instance_method bind_call call_user_func call_user_func_array constructor parseint proxy getownpropertydescriptor fromentries for set';

const plainName = /^[\w$]+$/;

/** Last names of all that may be a use when it is called. */
export const knownNames: readonly string[] = [
  ...[...table.keys()].map((path) => path.slice(path.lastIndexOf('.') + 1)),
  ...callers,
  ...callingMethods,
  ...rubyMethods,
  ...elementMethods,
  ...[...takers.keys(), ...takerPaths.keys(), ...memberTakers].map((path) =>
    path.slice(path.lastIndexOf('.') + 1),
  ),
  ...wordList(structural),
].filter((name) => plainName.test(name));

/** A command of a shell that an intruder runs first. */
export const shellCommand: RegExp =
  /^\s{0,8}(?:[\w/]{0,60}\/)?(?:id|whoami|uname|cat|ls|pwd|curl|wget|nc|ncat|bash|sh|touch|rm|sleep|ping|nslookup|calc|hostname|ifconfig|ipconfig|dir|powershell|env|php|python3?|perl|ruby)(?:[\s`]|$)/;
