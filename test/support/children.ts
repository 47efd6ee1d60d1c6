import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** What tests have started and has not ended yet, with the signal that ends it. */
const living = new Map<ChildProcess, NodeJS.Signals>()

/** Lets a process end with the one that has started it, however the tests come out. */
export function endsWithUs<Child extends ChildProcess>(
  child: Child,
  signal: NodeJS.Signals = 'SIGKILL',
): Child {
  living.set(child, signal)
  child.once('exit', () => living.delete(child))
  return child
}

/** Ends everything that is left, each with what it has started itself, as a tracer has. */
export function endChildren(): void {
  for (const [child, signal] of living) {
    const isThere = child.pid !== undefined && child.exitCode === null && child.signalCode === null
    if (isThere) for (const pid of withDescendants(child.pid as number)) tell(pid, signal)
  }
  living.clear()
}

function withDescendants(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(withDescendants)]
}

function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return text.split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

function tell(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended by itself meanwhile.
  }
}

process.once('exit', endChildren)
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.once(signal, () => {
    endChildren()
    process.kill(process.pid, signal)
  })
}
