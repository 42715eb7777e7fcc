import { readdirSync, readFileSync } from 'node:fs';

/** Processor time that processes have used, the first thread of each apart from all others. */
export interface CpuTime {
  readonly mainMs: number;
  readonly otherMs: number;
}

/** A clock tick of `/proc` (`getconf CLK_TCK`): 100 a second on every Linux that Node runs on. */
const tickMs = 10;

/** Undefined where there is no `/proc`. */
export function cpuTimeOf(pids: readonly number[]): CpuTime | undefined {
  try {
    let mainMs = 0;
    let otherMs = 0;
    for (const pid of pids) {
      for (const thread of readdirSync(`/proc/${pid}/task`)) {
        const used = threadMs(`/proc/${pid}/task/${thread}/stat`);
        if (thread === String(pid)) mainMs += used;
        else otherMs += used;
      }
    }
    return { mainMs, otherMs };
  } catch {
    return undefined;
  }
}

/** Processor time used since an earlier reading; undefined where there is no `/proc`. */
export function cpuTimeSince(
  before: CpuTime | undefined,
  pids: readonly number[],
): CpuTime | undefined {
  const now = cpuTimeOf(pids);
  if (now === undefined || before === undefined) return undefined;
  return { mainMs: now.mainMs - before.mainMs, otherMs: now.otherMs - before.otherMs };
}

function threadMs(path: string): number {
  const text = readFileSync(path, 'utf8');
  // The name of the program stands in parentheses and may hold anything, proc_pid_stat(5).
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

/** Resident memory in megabytes; undefined where there is no `/proc`. */
export function residentMb(pid: number): number | undefined {
  try {
    const line = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return line?.[1] === undefined ? undefined : (Number(line[1]) * 1_024) / 1e6;
  } catch {
    return undefined;
  }
}
