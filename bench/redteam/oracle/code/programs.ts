import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { python } from '../../../lib/installed.ts';
import type { LineProgram } from '../line-process.ts';

/** All that leaves PHP; stubs take their names. */
const phpStubs = [
  'system,exec,passthru,shell_exec,popen,proc_open,pcntl_exec,mail,dl,phpinfo,getenv,putenv',
  'file_get_contents,file_put_contents,readfile,file,fopen,unlink,rename,copy,mkdir,rmdir,chmod,symlink',
  'link,touch,scandir,glob,opendir,dir,highlight_file,show_source,parse_ini_file,fsockopen,pfsockopen',
  'stream_socket_client,curl_exec,curl_init,tempnam,tmpfile,move_uploaded_file,error_log,get_defined_vars',
  'php_strip_whitespace,simplexml_load_file,stream_context_create,get_cfg_var,ini_set,ini_get_all,php_uname',
].join(',');

/** The tools that are run. */
export const php = '/usr/bin/php';
export const ruby = '/usr/bin/ruby';
const jars = ['freemarker', 'velocity', 'commons-collections3', 'commons-lang'].map(
  (name) => `/usr/share/java/${name}.jar`,
);
/** What a program in Java needs: it is compiled when it starts. */
export const javaTools: readonly string[] = ['java', 'javac', ...jars];
const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** The programs of this folder, with what they need. */
export const programs = {
  python: (file: string): LineProgram => ({ command: python, args: ['-I', '-c', textOf(file)] }),
  ruby: (file: string): LineProgram => ({ command: ruby, args: ['-e', textOf(file)] }),
  php: (file: string, settings: readonly string[]): LineProgram => {
    const own = ['ffi.enable=0', 'memory_limit=64M', 'display_errors=0', 'extension=posix'];
    const all = [...own, `disable_functions=${phpStubs}`, ...settings];
    return { command: php, args: ['-n', ...all.flatMap((one) => ['-d', one]), '-r', textOf(file)] };
  },
  java: (file: string, ...more: readonly string[]): LineProgram => {
    const small = ['-Xmx64m', '-Xss512k', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
    const files = ['-XX:-UsePerfData', '-XX:ErrorFile=/dev/null', '-Djava.security.manager=allow'];
    const program = fileURLToPath(new URL(file, import.meta.url));
    const args = [...small, ...files, '-cp', jars.join(':'), program, ...more];
    return { command: 'java', args };
  },
  node: (file: string, ...more: readonly string[]): LineProgram => {
    const program = fileURLToPath(new URL(file, import.meta.url));
    const permissions = ['--permission', `--allow-fs-read=${root}`];
    return { command: process.execPath, args: [...permissions, program, ...more] };
  },
};

/** A program behind what those of its language share, as one text: they may open no file of theirs. */
function textOf(file: string): string {
  return [`children${extname(file)}`, file]
    .map((one) => readFileSync(new URL(one, import.meta.url), 'utf8'))
    .join('\n');
}
