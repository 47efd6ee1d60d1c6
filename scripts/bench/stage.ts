import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { root } from '../contract/contract.ts'
import { clearOnSignal } from './clear-on-signal.ts'
import { type BenchDatabase, createDatabase } from './database.ts'
import { writeDirectory } from './directory.ts'
import { requireDisk } from './disk.ts'
import { stopAll } from './processes.ts'

/** What the measurements need: a build, a folder for data, and a database. */
export interface Stage {
  dist: string
  folder: string
  /** A fixture with many institutions, added to the seed data. */
  fixture: string
  /** Undefined where PostgreSQL does not answer. */
  database(): Promise<BenchDatabase | undefined>
  close(): Promise<void>
}

/** How many institutions the services have; to store more takes longer. */
const institutions = { usual: 12_000, quick: 1200 }

interface StagePlan {
  /** The build, where none is to be made. */
  built: string | undefined
  quick: boolean
}

export function openStage({ built, quick }: StagePlan, tell: (line: string) => void): Stage {
  requireDisk(tmpdir())
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  const dist = built === undefined ? makeBuild(tell) : resolve(built)
  const fixture = join(folder, 'directory.json')
  writeDirectory(fixture, quick ? institutions.quick : institutions.usual)
  let opened: Promise<BenchDatabase | undefined> | undefined
  const clear = async () => {
    await stopAll()
    await (await opened)?.remove()
    rmSync(folder, { recursive: true, force: true })
    if (built === undefined) rmSync(dist, { recursive: true, force: true })
  }
  let cleared: Promise<void> | undefined
  const close = () => {
    cleared ??= clear()
    return cleared
  }
  clearOnSignal(close)
  return {
    dist,
    folder,
    fixture,
    database() {
      opened ??= createDatabase().catch((error: Error) => void tell(`left out: ${error.message}`))
      return opened as Promise<BenchDatabase | undefined>
    },
    close,
  }
}

/** Fails in one line where a folder that was named is no build. */
export function requireBuild(folder: string): void {
  const dist = resolve(folder)
  if (!existsSync(join(dist, 'src/server/main.js'))) throw new Error(`--dist: no build in ${dist}`)
}

/** Builds the checkout into a folder of its own: `dist` may be older, or change meanwhile. */
function makeBuild(tell: (line: string) => void): string {
  tell('building')
  const cache = join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'bench-'))
  execFileSync(process.execPath, [join(root, 'scripts/build/main.ts'), folder], { stdio: 'pipe' })
  const docs = join(root, 'dist/docs')
  if (existsSync(docs)) symlinkSync(docs, join(folder, 'docs'))
  return folder
}
