/**
 * Arguments of Node for each worker thread. Piscina loads a thread's module by `require`, else by
 * `import`. In Node 22 a thread that is ended while `require` links an ES module aborts the whole
 * process ("IsGraphAsync must be used on an instantiated module"); `import` lets it end. Node 22.16
 * to 26 know the option.
 */
export const threadArguments = ['--no-experimental-require-module'];
