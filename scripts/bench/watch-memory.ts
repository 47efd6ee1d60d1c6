import { readMemory } from './cpu.ts'
import { isService, type ServerName } from './server-names.ts'
import type { Server } from './servers.ts'

/** Resident memory over time. */
export interface MemorySeries {
  server: ServerName
  everySeconds: number
  /** In MB. */
  values: number[]
}

const everySeconds = 5

/** Reads the memory of the services from now on. */
export function watchMemory(servers: readonly Server[]) {
  const watched = servers.flatMap(({ name, programs: [program] }) =>
    program && isService(name) && name !== 'postgres-2' ? [{ name, pid: program.pid }] : [],
  )
  const series = watched.map(
    ({ name }): MemorySeries => ({ server: name, everySeconds, values: [] }),
  )
  const read = () => {
    for (const [index, { pid }] of watched.entries()) {
      const memory = readMemory(pid)
      if (memory !== undefined) series[index]?.values.push(memory)
    }
  }
  const timer = setInterval(read, everySeconds * 1000)
  timer.unref()
  read()
  return {
    /** What was read until now, for the last time. */
    end(): MemorySeries[] {
      clearInterval(timer)
      return series
    },
  }
}
