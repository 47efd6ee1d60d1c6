import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { compileForms, type Entry } from '../../src/contract/compile-schemas.ts'
import {
  banner,
  type Contract,
  currentVersion,
  eachOperation,
  eachWebhook,
  generatedFolder,
  generatedFor,
  reach,
  readBundle,
  requestSchema,
  resolve,
  responseSchema,
  root,
  type Schema,
} from '../contract/contract.ts'
import { collectHints } from './hints.ts'
import { splitModules } from './split-modules.ts'
import { renameShared } from './stable-names.ts'

/** A file of validators and what it exports. */
interface ValidatorFile {
  name: string
  exports: (Entry & { name: string })[]
}

/** Writes a validator file per operation, one for all webhooks and one for all components. */
export async function validators(names = generatedFor): Promise<void> {
  for (const name of names) {
    const contract = readBundle(name)
    const own = ownFiles(name)
    const files = filesOf(contract).filter((file) => own.has(file.name))
    await write(contract, name, files)
  }
}

/** The validator files that a document has of its own; the others are the current version's. */
export function ownFiles(document: string): Set<string> {
  const current = new Map(document === currentVersion ? [] : checksOf(readBundle(currentVersion)))
  const own = checksOf(readBundle(document)).filter(([name, text]) => text !== current.get(name))
  return new Set(own.map(([name]) => name))
}

function filesOf(contract: Contract): ValidatorFile[] {
  const ofOperations = eachOperation(contract).map(({ operation }) => ({
    name: operation.operationId,
    exports: [
      { name: 'request', schema: nameOf(requestSchema(operation)), form: 'request' as const },
      {
        name: 'response',
        schema: nameOf(responseSchema(contract, operation)),
        form: 'tolerant' as const,
      },
    ],
  }))
  const webhooks = eachWebhook(contract).map(({ schema }) => nameOf(schema))
  const answered = reach(contract, answers(contract))
  // A schema that answers and webhooks carry is checked tolerantly, one of requests as written.
  const exported = (name: string): ValidatorFile['exports'][number] => {
    return { name, schema: name, form: answered.has(name) ? 'tolerant' : 'request' }
  }
  return [
    ...ofOperations,
    { name: 'webhooks', exports: webhooks.map(exported) },
    { name: 'components', exports: Object.keys(contract.components.schemas).map(exported) },
  ].filter((file) => file.exports.length > 0)
}

const answers = (contract: Contract): string[] => [
  ...eachOperation(contract).flatMap(({ operation }) =>
    Object.values(operation.responses).map((response) =>
      nameOf(resolve(contract, response).content!['application/json']!.schema),
    ),
  ),
  ...eachWebhook(contract).map(({ schema }) => nameOf(schema)),
]

function nameOf(schema: Schema): string {
  const name = schema.$ref?.split('/').pop()
  if (!name) throw new Error('bodies are described by named components')
  return name
}

/** What the schemas of each file check, as text, so that versions can share the files that are equal. */
const checksOf = (contract: Contract): [file: string, text: string][] =>
  filesOf(contract).map((file) => {
    const names = file.exports.map(({ schema }) => schema)
    const schemas = [...reach(contract, names)].sort().map((name) => {
      return [name, contract.components.schemas[name]]
    })
    return [file.name, JSON.stringify(schemas, withoutNotes)]
  })

/** Leaves out what no validator reads. */
const withoutNotes = (key: string, value: unknown): unknown =>
  ['description', 'examples', 'x-enumDescriptions'].includes(key) && typeof value !== 'boolean'
    ? undefined
    : value

/** Writes the validators of some components into one file of a folder under `generated/`. */
export const componentValidators = (
  contract: Contract,
  folder: string,
  name: string,
  schemas: readonly string[],
): Promise<void> => {
  const exports = schemas.map((schema) => ({ name: schema, schema, form: 'request' as const }))
  return write(contract, folder, [{ name, exports }])
}

async function write(contract: Contract, document: string, files: ValidatorFile[]): Promise<void> {
  const folder = join(generatedFolder(document), 'validators')
  const compiled = compileForms(
    contract,
    files.flatMap((file) => file.exports),
  )
  const sources = Object.fromEntries(files.map((file) => [file.name, faceOf(contract, file)]))
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    write: false,
    entryPoints: files.map((file) => ({ in: `entry:${file.name}`, out: file.name })),
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    chunkNames: 'shared/[hash]',
    metafile: true,
    minifySyntax: true,
    banner: { js: banner('validators/validators.ts').trim() },
    plugins: [splitModules(compiled, sources)],
    logLevel: 'warning',
  })
  // Replaces the files only after all has compiled.
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'shared'), { recursive: true })
  const rename = renameShared(metafile)
  for (const { path, text } of outputFiles) writeFileSync(rename(path), rename(text))
  for (const file of files) writeFileSync(join(folder, `${file.name}.d.ts`), declare(file))
}

/** The source of an entry: the compiled schemas behind the typed face of `src/validators`. */
function faceOf(contract: Contract, file: ValidatorFile): string {
  const lines = file.exports.map(({ name, schema, form }, index) => {
    const hints = form === 'request' ? collectHints(contract, schema) : {}
    const given = Object.keys(hints).length > 0 ? `, ${JSON.stringify(hints)}` : ''
    return [
      `import compiled${index} from 'compiled:${form}_${schema}'`,
      `export const ${name} = /* @__PURE__ */ validator(compiled${index}${given})`,
    ].join('\n')
  })
  return [`import { validator } from './src/validators/validate.ts'`, ...lines].join('\n')
}

function declare(file: ValidatorFile): string {
  const lines = file.exports.map(
    ({ name, schema }) =>
      `export declare const ${name}: Validator<components['schemas']['${schema}']>`,
  )
  return [
    banner('validators/validators.ts').trim(),
    `import type { Validator } from '../../../src/validators/validate.js'`,
    `import type { components } from '../types.js'`,
    ...lines,
    '',
  ].join('\n')
}
