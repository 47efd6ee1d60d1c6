import { setTimeout as sleep } from 'node:timers/promises'
import { readMemory } from './cpu.ts'
import type { Memory } from './figures.ts'
import { isService, type ServerName } from './server-names.ts'
import type { Server } from './servers.ts'

/** Resident memory over time. */
export interface MemorySeries {
  server: ServerName
  everySeconds: number
  /** In MB. */
  values: number[]
}

/** The memory of the servers, from their start to a time after their load. */
export interface MemoryWatch {
  /** Notes what the processes of a server hold, right after they were loaded. */
  note(server: Server): void
  /** Ends the series: the load is over. */
  end(): void
  /** What each has held, once so many milliseconds without load have passed. */
  found(restMs: number, tell: (line: string) => void): Promise<Pick<Memory, 'servers' | 'series'>>
}

const everySeconds = 5

/** Watches one process of each server from now on. */
export function watchMemory(servers: readonly Server[]): MemoryWatch {
  // Each process of two has what the single one has.
  const watched = servers.flatMap(({ name, programs: [program] }) =>
    program && name !== 'postgres-2' ? [{ name, pid: program.pid }] : [],
  )
  const read = () =>
    new Map<ServerName, number | undefined>(watched.map(({ name, pid }) => [name, readMemory(pid)]))
  const started = read()
  const loaded = new Map(started)
  const series: MemorySeries[] = watched
    .filter(({ name }) => isService(name))
    .map(({ name }) => ({ server: name, everySeconds, values: [] }))
  const readSeries = () => {
    const now = read()
    for (const { server, values } of series) {
      const memory = now.get(server)
      if (memory !== undefined) values.push(memory)
    }
  }
  const timer = setInterval(readSeries, everySeconds * 1000)
  timer.unref()
  readSeries()
  let ended = performance.now()
  return {
    note({ programs }) {
      for (const { name, pid } of watched) {
        if (programs.some((program) => program.pid === pid)) loaded.set(name, readMemory(pid))
      }
    },
    end() {
      clearInterval(timer)
      ended = performance.now()
    },
    async found(restMs, tell) {
      const waits = ended + restMs - performance.now()
      if (waits > 0) tell(`memory in ${Math.ceil(waits / 1000)} seconds without requests`)
      await sleep(Math.max(0, waits))
      const rested = read()
      const rows = watched.flatMap(({ name }) => {
        const found = [started.get(name), loaded.get(name), rested.get(name)] as const
        const [before, after, later] = found
        // Not on Linux.
        if (before === undefined) return []
        if (after === undefined || later === undefined) throw new Error(`${name} has ended`)
        return [{ server: name, started: before, loaded: after, rested: later }]
      })
      return { servers: rows, series }
    },
  }
}
