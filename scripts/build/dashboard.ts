import { createHash, randomUUID } from 'node:crypto'
import {
  cpSync,
  existsSync,
  globSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import vue from '@vitejs/plugin-vue'
import { build, type Rolldown } from 'vite'
import { root } from '../contract/contract.ts'
import { firstLoads } from './first-loads.ts'

/** The pages of the dashboard, in the build and in the package. */
export const dashboardFolder = 'dashboard'

const source = join(root, 'src/dashboard')

/** Where the last build is kept with its mark. */
const kept = join(root, '.cache/dashboard')

/**
 * What is stored beside a build: the hash of its sources, the files of packages in it, and the bytes of
 * the first load of each page.
 */
interface Mark {
  made: string
  inputs: string[]
  firstLoads: Record<string, number>
}

const markOf = (folder: string): string => `${folder}.json`

/** Puts the pages into a build; returns the files of packages that they are made of. */
export async function buildDashboard(folder: string): Promise<string[]> {
  const { inputs } = await makePages()
  const target = join(folder, dashboardFolder)
  rmSync(target, { recursive: true, force: true })
  cpSync(kept, target, { recursive: true })
  return inputs
}

/** The bytes, gzipped, that a browser loads to show each page first. */
export const dashboardSizes = async (): Promise<Record<string, number>> =>
  (await makePages()).firstLoads

async function makePages(): Promise<Mark> {
  const made = fingerprint()
  const last = readMark()
  if (last?.made === made && existsSync(join(kept, 'index.html'))) return last
  // In a folder of its own, so that a build that fails, or another one, leaves no half of it.
  const fresh = `${kept}-${randomUUID()}`
  const mark = { made, ...(await bundle(fresh)) }
  rmSync(kept, { recursive: true, force: true })
  renameSync(fresh, kept)
  writeFileSync(markOf(kept), JSON.stringify(mark))
  return mark
}

const readMark = (): Mark | undefined =>
  existsSync(markOf(kept)) ? JSON.parse(readFileSync(markOf(kept), 'utf8')) : undefined

/** A hash of everything that the pages are made of; generated types are no part of them. */
function fingerprint(): string {
  const files = globSync('**/*', { cwd: source, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const hash = createHash('sha256')
  const builders = [import.meta.filename, join(root, 'package-lock.json')]
  for (const file of [...files, ...builders].sort()) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0')
  }
  return hash.digest('hex')
}

/** Bundles the pages; returns the files of packages for the notices of their licenses, and the sizes. */
async function bundle(folder: string): Promise<Omit<Mark, 'made'>> {
  const result = (await inProduction(() =>
    build({
      configFile: false,
      root: source,
      base: '/dashboard/',
      publicDir: false,
      logLevel: 'warn',
      plugins: [vue({ features: { optionsAPI: false } })],
      define: {
        // What people who debug Vue itself need.
        __VUE_OPTIONS_API__: 'false',
        __VUE_PROD_DEVTOOLS__: 'false',
        __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
      },
      build: {
        outDir: folder,
        emptyOutDir: true,
        target: 'es2023',
        cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
        // A picture in the text of a page would need `data:` in its Content-Security-Policy.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        reportCompressedSize: false,
      },
    }),
  )) as Rolldown.RolldownOutput
  const modules = result.output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))
  const files = modules.map((id) => relative(root, id.replace(/^\0|\?.*$/g, '')))
  const inputs = [...new Set(files.filter((file) => file.startsWith('node_modules/')))].sort()
  return { inputs, firstLoads: firstLoads(result) }
}

/** Vite keeps a `NODE_ENV` that is set, such as that of tests, and would build what helps to debug Vue. */
async function inProduction<Result>(work: () => Promise<Result>): Promise<Result> {
  const { NODE_ENV: before } = process.env
  process.env['NODE_ENV'] = 'production'
  try {
    return await work()
  } finally {
    if (before === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = before
  }
}
