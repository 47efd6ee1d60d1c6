import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { digestOf } from '../../src/testing/program-id.ts'
import { root } from '../contract/contract.ts'
import { installed, programs, service } from './entries.ts'
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
  const inputs: string[] = [...ofPages]
  for (const entryPoints of [[service], programs])
    inputs.push(...(await bundle(folder, entryPoints)))
  writeNotices(folder, inputs)
}

/** Bundles some programs, whose common parts they share; returns what they are made of. */
async function bundle(folder: string, entries: readonly string[]): Promise<string[]> {
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
  return Object.keys(metafile.inputs)
}
