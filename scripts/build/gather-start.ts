import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Metafile, transform } from 'esbuild'
import { type OutputChunk, type Plugin, rolldown } from 'rolldown'
import { closure } from '../../src/contract/closure.ts'
import { service } from './entries.ts'

/** What a bundle of the service is, in a folder of its own. */
export interface ServiceBundle {
  folder: string
  /** What esbuild tells of it, with paths from that folder. */
  outputs: Metafile['outputs']
}

/** The module that the service loads once its options are read. */
const start = 'src/server/boot/start.ts'

/**
 * Writes a bundle of the service again, with everything that each start loads in two files: what reads
 * the options, and the rest. esbuild makes a file of all modules that are needed by the same parts of the
 * program, which is a hundred files of a start. Each of them has to be found, opened and linked.
 */
export async function gatherStart(bundle: ServiceBundle, target: string): Promise<void> {
  const options = neededBy(service, bundle)
  const rest = neededBy(start, bundle)
  const bundled = await rolldown({
    input: { [service.replace(/\.ts$/, '')]: join(bundle.folder, outputOf(service, bundle)) },
    plugins: [othersApart],
    platform: 'node',
    // esbuild has left out what is not needed.
    treeshake: false,
    makeAbsoluteExternalsRelative: false,
  })
  const { output } = await bundled.generate({
    format: 'esm',
    entryFileNames: '[name].js',
    // A hash of Rolldown would depend on the folder, and those of esbuild are in the names already.
    // The other programs have some of the same chunks, as esbuild wrote them.
    chunkFileNames: 'src/chunks/service-[name].js',
    codeSplitting: {
      groups: [
        { name: 'options', test: (path) => options.has(path), priority: 2 },
        { name: 'start', test: (path) => rest.has(path), priority: 1 },
      ],
    },
  })
  await bundled.close()
  const chunks = output.filter((one) => one.type === 'chunk')
  requireGathered(chunks, { options, start: rest })
  for (const chunk of chunks) await write(target, chunk)
}

/** Otherwise a start would load a hundred files again, and nobody would notice. */
function requireGathered(
  chunks: readonly OutputChunk[],
  groups: Readonly<Record<string, ReadonlySet<string>>>,
): void {
  for (const [name, paths] of Object.entries(groups)) {
    const modules = chunks.find((chunk) => chunk.name === name)?.moduleIds ?? []
    const found = modules.filter((module) => paths.has(module)).length
    if (found === 0) throw new Error(`the bundle of the service has no file for ${name}`)
  }
}

/** The paths of the output that a module is in, and of all that it imports before it runs. */
function neededBy(module: string, bundle: ServiceBundle): Set<string> {
  const outputs = closure([outputOf(module, bundle)], (output) =>
    (bundle.outputs[output]?.imports ?? [])
      .filter(({ kind, external }) => kind === 'import-statement' && !external)
      .map(({ path }) => path),
  )
  return new Set([...outputs].map((output) => join(bundle.folder, output)))
}

function outputOf(module: string, { outputs }: ServiceBundle): string {
  const found = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === module)
  if (found === undefined) throw new Error(`the bundle of the service has no part for ${module}`)
  return found
}

/** In letters of ASCII alone: one other letter has V8 keep a whole file in twice as many bytes. */
async function write(target: string, { fileName, code }: OutputChunk): Promise<void> {
  const short = await transform(code, { minifyWhitespace: true, charset: 'ascii' })
  // Such a letter after a backslash stands for itself, and its escape would not.
  const [escaped] = /\\[\u0080-\uffff]/.exec(short.code) ?? []
  if (escaped !== undefined)
    throw new Error(`${fileName} escapes a letter that needs none: ${escaped}`)
  const file = join(target, fileName)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, short.code.replaceAll(/[\u0080-\uffff]/g, toEscape))
}

/**
 * esbuild leaves letters in regular expressions, and in templates with a tag. Only `String.raw` reads
 * those as they are written. It makes regular expressions here, in which an escape means its letter.
 */
const toEscape = (letter: string): string =>
  `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Modules of Node, and those that are files of their own beside the bundle. */
const othersApart: Plugin = {
  name: 'others apart',
  resolveId(id, importer) {
    const isBundled = importer === undefined || existsSync(join(dirname(importer), id))
    return isBundled ? undefined : { id, external: true }
  },
}
