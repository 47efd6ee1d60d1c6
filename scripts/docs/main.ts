import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { takeArguments } from '../command.ts'
import { root } from '../contract/contract.ts'
import { buildSite } from './build-site.ts'
import { fingerprint } from './fingerprint.ts'
import { PageError } from './page-error.ts'
import { writePages } from './write-pages.ts'

const usage = `usage: npm run docs [-- --out FOLDER] [--only PAGE]…
Builds the docs; with --only some pages, as in --only operations/accountsGet/`

interface Options {
  /** The folder of the site. */
  out: string
  /** The paths of the pages to build; all of them if there is none. */
  only: string[]
}

/** Builds the docs site from the contract, to be served at `DOCS_BASE`. */
async function docs({ out, only }: Options): Promise<void> {
  const start = performance.now()
  console.log(`docs: ${await writePages()} pages written after ${seconds(start)}`)
  const made = fingerprint()
  if (only.length === 0 && readMark(out) === made) {
    console.log(`docs: nothing has changed since ${out} was built`)
    return
  }
  // Built in a folder of its own, so that the last site is replaced only by a complete one.
  const fresh = `${out}-fresh`
  rmSync(fresh, { recursive: true, force: true })
  await buildSite(fresh, only)
  if (only.length === 0) writeFileSync(join(fresh, mark), made)
  rmSync(out, { recursive: true, force: true })
  renameSync(fresh, out)
  console.log(`docs: ${megabytes(out)} MB in ${out} after ${seconds(start)}`)
}

/** The file of a site with the hash of its sources; a site of some pages only has none. */
const mark = 'fingerprint'

const readMark = (site: string): string | undefined =>
  existsSync(join(site, mark)) ? readFileSync(join(site, mark), 'utf8') : undefined

const seconds = (start: number): string => `${((performance.now() - start) / 1000).toFixed(1)} s`

function megabytes(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const bytes = files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)
  return (bytes / 1e6).toFixed(1)
}

function readOptions(): Options {
  const { values } = takeArguments(usage, 0, {
    out: { type: 'string' },
    only: { type: 'string', multiple: true },
  })
  return { out: resolve(root, values.out ?? 'dist/docs'), only: values.only ?? [] }
}

try {
  await docs(readOptions())
} catch (error) {
  const { message, stack } = error as Error
  const isOurs = error instanceof PageError
  console.error(`docs: the site could not be built\n${isOurs ? message : stack}`)
  process.exitCode = 1
}
