import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { hintOf } from '../../src/nearest.ts'
import { reject, takeArguments } from '../command.ts'
import { root } from '../contract/contract.ts'
import { folderMistake } from '../output-path.ts'
import { buildSite } from './build-site.ts'
import { fingerprint } from './fingerprint.ts'
import { PageError } from './page-error.ts'
import { writePages } from './write-pages.ts'

const usage = `usage: npm run docs [-- --out FOLDER] [--only PAGE]…
Builds the docs; with --only some pages, as in --only operations/accountsGet/
The folder (dist/docs) is a new one, an empty one, or that of an earlier site, which is replaced.`

interface Options {
  /** The folder of the site. */
  out: string
  /** The paths of the pages to build; all of them if there is none. */
  only: string[]
}

/** Builds the docs site from the contract, to be served at `DOCS_BASE`. */
async function docs({ out, only }: Options): Promise<void> {
  const start = performance.now()
  console.log(`docs: ${await writePages(requireIn(only))} pages written after ${seconds(start)}`)
  const made = fingerprint()
  if (only.length === 0 && readMark(out) === made) {
    console.log(`docs: nothing has changed since ${out} was built`)
    return
  }
  // Built in a folder of its own, so that the last site is replaced only by a complete one.
  const fresh = freshOf(out)
  rmSync(fresh, { recursive: true, force: true })
  try {
    await buildSite(fresh, only)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    throw error
  }
  writeFileSync(join(fresh, mark), only.length === 0 ? made : somePages)
  rmSync(out, { recursive: true, force: true })
  renameSync(fresh, out)
  console.log(`docs: ${megabytes(out)} MB in ${out} after ${seconds(start)}`)
}

const freshOf = (out: string): string => `${out}-fresh`

/** Rejects pages that are not among those that are there. */
const requireIn = (only: readonly string[]) => (paths: readonly string[]) => {
  const unknown = only.find((path) => !paths.includes(path))
  if (unknown === undefined) return
  reject(`--only: there is no page ${unknown}${hintOf(unknown, paths)}`)
}

/** The file of a site with the hash of its sources, or that it has some pages only. */
const mark = 'fingerprint'
const somePages = 'of some pages'

const readMark = (site: string): string | undefined =>
  statSync(join(site, mark), { throwIfNoEntry: false })?.isFile()
    ? readFileSync(join(site, mark), 'utf8')
    : undefined

/** The usual folder has nothing else, even where a build did not end. */
function isSite(folder: string): boolean {
  const found = readMark(folder) ?? ''
  const isUsual = [usualFolder, freshOf(usualFolder)].includes(folder)
  return isUsual || found === somePages || /^[\da-f]{64}$/.test(found)
}

const usualFolder = join(root, 'dist/docs')

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
  const out = resolve(root, values.out ?? usualFolder)
  const mistake = folderMistake(out, isSite) ?? folderMistake(freshOf(out), isSite)
  if (mistake !== undefined) reject(`--out: ${mistake}`)
  const only = values.only ?? []
  return { out, only: only.map((path) => (/(^|\/)$/.test(path) ? path : `${path}/`)) }
}

try {
  await docs(readOptions())
} catch (error) {
  const { message, stack } = error as Error
  const isOurs = error instanceof PageError
  console.error(`docs: the site could not be built\n${isOurs ? message : stack}`)
  process.exitCode = 1
}
