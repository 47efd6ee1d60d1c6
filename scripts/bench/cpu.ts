import { readdirSync, readFileSync } from 'node:fs'

/** CPU seconds by process, of all its threads; undefined where the system does not report them. */
export type CpuTimes = ReadonlyMap<number, number> | undefined

// USER_HZ, which Linux fixes for what it reports to programs.
const ticksPerSecond = 100

/** What these processes have used since they began; one that has ended is left out. */
export function readCpu(pids: readonly number[]): CpuTimes {
  if (process.platform !== 'linux') return undefined
  const times = new Map<number, number>()
  for (const pid of pids) {
    try {
      times.set(pid, secondsOf(pid))
    } catch {
      // It has ended.
    }
  }
  return times
}

/** To the nanosecond where the system counts so finely, else in hundredths of a second. */
function secondsOf(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    const texts = threads.map((id) => readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8'))
    return texts.reduce((sum, text) => sum + Number(text.split(' ')[0]) / 1e9, 0)
  } catch {
    return secondsIn(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  }
}

/** User and system time in a line of `/proc/<pid>/stat`, whatever the name of the program is. */
export function secondsIn(line: string): number {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** What was used between two readings; a process that started in between counts from its start. */
export function cpuBetween(before: CpuTimes, after: CpuTimes): number | undefined {
  if (!before || !after) return undefined
  return [...after].reduce((sum, [pid, seconds]) => sum + seconds - (before.get(pid) ?? 0), 0)
}

/** Resident memory in MB. */
export function readMemory(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 102.4) / 10
}
