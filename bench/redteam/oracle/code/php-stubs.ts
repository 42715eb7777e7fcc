/** All that leaves PHP; stubs take their names. */
export const phpStubs = [
  'system,exec,passthru,shell_exec,popen,proc_open,pcntl_exec,mail,dl,phpinfo,getenv,putenv',
  'file_get_contents,file_put_contents,readfile,file,fopen,unlink,rename,copy,mkdir,rmdir,chmod,symlink',
  'link,touch,scandir,glob,opendir,dir,highlight_file,show_source,parse_ini_file,fsockopen,pfsockopen',
  'stream_socket_client,curl_exec,curl_init,tempnam,tmpfile,move_uploaded_file,error_log,get_defined_vars',
  'php_strip_whitespace,simplexml_load_file,stream_context_create,get_cfg_var,ini_set,ini_get_all,php_uname',
].join(',');
