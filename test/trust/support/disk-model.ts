import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Random } from './random.ts'
import { type SystemCall, stringsIn, targetOf } from './system-calls.ts'

/** What was written to a file and not synced yet: bytes at a place, or another length. */
type Change = { at: number; bytes: Buffer } | { length: number }

interface File {
  /** What a power cut leaves for sure. */
  kept: Buffer
  length: number
  pending: Change[]
}

/** A name in a folder was made, or taken away. */
interface Naming {
  path: string
  file: File | undefined
}

/** Which of the changes that were not synced a power cut happens to leave. */
export type Survivors = 'none' | 'all' | 'some'

/** The files of a folder as a disk without mercy keeps them: only what was synced is there. */
export interface Disk {
  apply(call: SystemCall): void
  /** The logs of SQLite that hold a commit which had to wait for the disk, and is not on it yet. */
  unsyncedCommits(): string[]
  /** Writes what a power cut at this moment leaves into a folder. */
  cut(target: string, survivors: Survivors, random: Random): void
}

const sector = 512

/** Follows the calls that concern `folder`, which is made by the first of them. */
export function createDisk(folder: string): Disk {
  const live = new Map<string, File>()
  const kept = new Map<string, File>()
  /** What was written while commits had to wait for the disk. */
  const durable = new WeakSet<Change>()
  let waits = true
  let namings: Naming[] = []

  function name(path: string, file: File | undefined): void {
    if (file) live.set(path, file)
    else live.delete(path)
    namings.push({ path, file })
  }

  function sync(path: string): void {
    const file = live.get(path)
    if (file) for (const change of file.pending.splice(0)) keep(file, change)
    // A folder that is synced keeps its names; a file that is synced says nothing of its own.
    for (const { path: named, file: target } of namings) {
      if (dirname(named) !== path) continue
      if (target) kept.set(named, target)
      else kept.delete(named)
    }
    namings = namings.filter((naming) => dirname(naming.path) !== path)
  }

  function change(call: SystemCall, file: File | undefined): void {
    const changes = file ? toChanges(call, file) : []
    file?.pending.push(...changes)
    if (waits) for (const one of changes) durable.add(one)
  }

  const isDurableCommit = (one: Change) => isCommit(one) && durable.has(one)
  const isOurs = (path: string) => path === folder || path.startsWith(`${folder}/`)

  return {
    apply(call) {
      const target = targetOf(call)
      switch (call.name) {
        case 'mkdir':
        case 'openat': {
          const [path = ''] = stringsIn(call).map(String)
          // As `tell-durability.ts` has it.
          if (path.startsWith('/synchronous-')) waits = path.endsWith('-full')
          const makes = call.name === 'mkdir' || call.args.includes('O_CREAT')
          if (makes && call.result >= 0 && isOurs(path) && !live.has(path)) name(path, newFile())
          return
        }
        case 'unlink': {
          const [path = ''] = stringsIn(call).map(String)
          if (call.result === 0 && live.has(path)) name(path, undefined)
          return
        }
        case 'rename': {
          const [from = '', to = ''] = stringsIn(call).map(String)
          const file = live.get(from)
          if (call.result !== 0 || !file) return
          name(from, undefined)
          name(to, file)
          return
        }
        case 'fsync':
        case 'fdatasync':
          if (call.result === 0) sync(target)
          return
        default:
          change(call, live.get(target))
      }
    },
    unsyncedCommits: () =>
      [...live]
        .filter(([path, { pending }]) => path.endsWith('-wal') && pending.some(isDurableCommit))
        .map(([path]) => basename(path)),
    cut(target, survivors, random) {
      const left = new Map(kept)
      for (const { path, file } of namings.slice(0, countOf(survivors, namings.length, random))) {
        if (file) left.set(path, file)
        else left.delete(path)
      }
      if (!left.has(folder)) return
      mkdirSync(target, { recursive: true, mode: 0o700 })
      for (const [path, file] of left) {
        if (path === folder) continue
        writeFileSync(join(target, basename(path)), contentOf(file, survivors, random))
      }
    },
  }
}

// The head of a frame of the log. Its second number is zero but in the last frame of a transaction:
// a large one writes some of its frames before, and no reader relies on these yet.
const headLength = 24
const isCommit = (change: Change): boolean =>
  'at' in change && change.bytes.length === headLength && change.bytes.readUInt32BE(4) !== 0

const newFile = (): File => ({ kept: Buffer.alloc(0), length: 0, pending: [] })

/** Names are kept in the order in which they were made, as all file systems with a log do. */
const countOf = (survivors: Survivors, count: number, random: Random): number =>
  survivors === 'none' ? 0 : survivors === 'all' ? count : random.between(0, count)

function toChanges(call: SystemCall, file: File): Change[] {
  if (call.name === 'ftruncate') return [{ length: Number(/(\d+)$/.exec(call.args)?.[1]) }]
  const bytes = Buffer.concat(stringsIn(call)).subarray(0, Math.max(0, call.result))
  const isPlaced = call.name.startsWith('pwrite')
  const at = isPlaced ? Number(/(\d+)$/.exec(call.args)?.[1]) : endOf(file)
  return [{ at, bytes }]
}

/** Where a file ends that is written from its beginning on, as small ones are. */
const endOf = ({ length, pending }: File): number =>
  pending.reduce((end, change) => ('at' in change ? change.at + change.bytes.length : end), length)

function keep(file: File, change: Change): void {
  if ('length' in change) {
    file.kept.fill(0, change.length)
    file.length = change.length
    return
  }
  const end = change.at + change.bytes.length
  if (end > file.kept.length) {
    const wider = Buffer.alloc(Math.max(end, 2 * file.kept.length))
    file.kept.copy(wider)
    file.kept = wider
  }
  change.bytes.copy(file.kept, change.at)
  file.length = Math.max(file.length, end)
}

/** What is left of a file; of what was not synced some sectors may be there and others not. */
function contentOf(file: File, survivors: Survivors, random: Random): Buffer {
  const left: File = { ...file, kept: Buffer.from(file.kept), pending: [] }
  for (const change of file.pending) {
    if (survivors === 'none') break
    if (survivors === 'all' || 'length' in change) keep(left, change)
    else for (const part of sectorsOf(change)) if (random.between(0, 1) === 1) keep(left, part)
  }
  return left.kept.subarray(0, left.length)
}

function sectorsOf({ at, bytes }: { at: number; bytes: Buffer }): { at: number; bytes: Buffer }[] {
  const parts: { at: number; bytes: Buffer }[] = []
  for (let from = 0; from < bytes.length; ) {
    const to = Math.min(bytes.length, from + sector - ((at + from) % sector))
    parts.push({ at: at + from, bytes: bytes.subarray(from, to) })
    from = to
  }
  return parts
}
