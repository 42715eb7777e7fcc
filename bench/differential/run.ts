/**
 * Looks for requests that an application reads otherwise than Sallyport:
 *
 *   npm run bench:differential -- [--reader A,B] [--requests N] [--seed S] [--jobs N]
 *                                 [--on-incomplete allow|block] [--request TEXT] [--list]
 */
import { runCommand } from '../lib/command.ts';
import { installed } from '../lib/installed.ts';
import { type Options, readOptions, usage } from './engine/options.ts';
import { replay } from './engine/replay.ts';
import { pageOf } from './engine/report.ts';
import { runJobs } from './engine/run-jobs.ts';
import { readers } from './readers/index.ts';

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options.help) {
    console.log(usage);
    return;
  }
  const chosen = chosenReaders(options);
  if (options.list) {
    for (const { name, tools } of readers) console.log([name, ...tools].join('\t'));
    return;
  }
  if (options.request !== undefined) {
    for (const reader of chosen) console.log(await replay(reader, options.request, options));
    return;
  }
  console.log(`seed ${options.seed}, ${options.requests} requests for each reader`);
  const results = await runJobs(chosen, options, (line) => console.log(line));
  console.log(pageOf(results, options));
  const isClean = results.every(({ report }) => report.disagreeing === 0);
  if (!isClean) process.exitCode = 1;
}

function chosenReaders({ reader }: Options): typeof readers {
  if (reader === undefined) {
    const missing = readers.filter((one) => !installed(one));
    for (const { name, tools } of missing)
      console.log(`${name}: left out, needs ${tools.join(', ')}`);
    return readers.filter(installed);
  }
  return reader.split(',').map((name) => {
    const found = readers.find((one) => one.name === name);
    if (found === undefined) {
      throw new Error(`--reader ${name}: not known; --list shows the names.`);
    }
    return found;
  });
}

runCommand(main);
