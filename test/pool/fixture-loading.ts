/** Whether this thread can load ES modules by `require`. */
export function canRequireModules(): boolean {
  return process.features.require_module;
}
