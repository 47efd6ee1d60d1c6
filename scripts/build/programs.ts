import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { build, type Metafile } from 'esbuild'
import { digestOf } from '../../src/testing/program-id.ts'
import { root } from '../contract/contract.ts'
import { installed, programs, service } from './entries.ts'
import { gatherStart } from './gather-start.ts'
import { writeNotices } from './notices.ts'
import { builtinsByRequire, fittingVersions, sharedModules, withoutNeverUsed } from './plugins.ts'

/**
 * Every output lies two folders below the build, so that one relative path leads to what stays a
 * file of its own, wherever esbuild puts the code that imports it.
 */
const chunkNames = 'src/chunks/[name]-[hash]'

/**
 * Bundles the programs with what only they need, so that an installation brings none of it. Writes the
 * licenses of what is in them, and in the pages, which have been built.
 */
export async function buildPrograms(folder: string, ofPages: readonly string[]): Promise<void> {
  const ofService = await bundleService(folder)
  const { inputs } = await bundle(folder, programs)
  writeNotices(folder, [...ofPages, ...ofService, ...Object.keys(inputs)])
}

/** Bundles the service; returns what it is made of. */
async function bundleService(target: string): Promise<string[]> {
  // Rolldown follows links, and this path may have some, as where macOS keeps temporary files.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'service-')))
  try {
    const { inputs, outputs } = await bundle(folder, [service])
    await gatherStart({ folder, outputs: fromFolder(outputs, folder) }, target)
    return Object.keys(inputs)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** esbuild names outputs from the root of the project. */
function fromFolder(outputs: Metafile['outputs'], folder: string): Metafile['outputs'] {
  const own = (path: string) => relative(folder, join(root, path))
  const imports = (one: Metafile['outputs'][string]) =>
    one.imports.map((each) => (each.external ? each : { ...each, path: own(each.path) }))
  return Object.fromEntries(
    Object.entries(outputs).map(([path, one]) => [own(path), { ...one, imports: imports(one) }]),
  )
}

/** Bundles some programs, whose common parts they share. */
async function bundle(folder: string, entries: readonly string[]): Promise<Metafile> {
  const entryPoints = entries.filter((path) => existsSync(join(root, path)))
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints,
    outdir: folder,
    outbase: '.',
    chunkNames,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    // The oldest one that the command line itself runs on.
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    // Its CommonJS form asks for its own files in a way that no bundler sees.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    external: installed,
    // CommonJS packages ask for modules of Node in their own way.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    // A ready world of one program is never used by another; see src/testing/program-id.ts.
    define: { PROGRAM_ID: JSON.stringify(digestOf(join(root, 'src/server'))) },
    plugins: [sharedModules, withoutNeverUsed, fittingVersions, builtinsByRequire],
    metafile: true,
    logLevel: 'warning',
  })
  return metafile
}
