import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../../scripts/contract/contract.ts'

/** Another version of the program, in a folder of its own. */
export interface ProgramCopy {
  folder: string
  remove(): void
}

const parts = ['src', 'generated', 'package.json']
const migrations = 'src/server/db/migrations'

/** A later version: the present one with these files added or replaced, and texts in files changed. */
export function copyProgram(changes: readonly Change[]): ProgramCopy {
  const copy = createFolder()
  for (const part of parts) cpSync(join(root, part), join(copy.folder, part), { recursive: true })
  for (const { file, from, to } of changes) {
    const path = join(copy.folder, file)
    const text = from === '' ? '' : readFileSync(path, 'utf8')
    if (!text.includes(from)) throw new Error(`${file} does not say: ${from}`)
    writeFileSync(path, text.replace(from, () => to) || to)
  }
  return copy
}

/** A text in a file that says another one; a file whose text was '' is new. */
export interface Change {
  file: string
  from: string
  to: string
}

/** The latest earlier version whose migrations are fewer, if the history that is here goes so far. */
export function copyEarlierProgram(): (ProgramCopy & { commit: string }) | undefined {
  const commit = findEarlier()
  if (commit === undefined) return undefined
  const copy = createFolder()
  const archive = git(['archive', commit, ...parts])
  execFileSync('tar', ['-x', '-C', copy.folder], { input: archive })
  return { ...copy, commit: commit.slice(0, 7) }
}

function findEarlier(): string | undefined {
  const now = readdirSync(join(root, migrations)).length
  const changed = git(['log', '--format=%H', '--', migrations]).toString().split('\n')
  const candidates = ['HEAD', ...changed.filter(Boolean).map((commit) => `${commit}^`)]
  const isEarlier = (commit: string) => {
    const files = git(['ls-tree', '--name-only', `${commit}:${migrations}`]).toString()
    return files !== '' && files.split('\n').filter(Boolean).length < now
  }
  const found = candidates.find(isEarlier)
  return found && git(['rev-parse', found]).toString().trim()
}

/** What git says; nothing where there is no such commit, or no history at all. */
function git(args: readonly string[]): Buffer {
  try {
    return execFileSync('git', args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 28,
    })
  } catch {
    return Buffer.alloc(0)
  }
}

function createFolder(): ProgramCopy {
  const folder = mkdtempSync(join(tmpdir(), 'program-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
