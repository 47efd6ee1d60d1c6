import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import {
  banner,
  type Contract,
  currentVersion,
  documents,
  eachOperation,
  eachWebhook,
  generatedFolder,
  reach,
  readBundle,
  requestSchema,
  resolve,
  responseSchema,
  root,
  type Schema,
} from '../contract/contract.ts'
import type { Form } from '../contract/schema-forms.ts'
import { compileForms, type Entry } from './compile-schemas.ts'
import { collectHints } from './hints.ts'
import { splitModules } from './split-modules.ts'

/** A file of validators and what it exports. */
interface ValidatorFile {
  name: string
  exports: { name: string; entry: Entry; type: string }[]
}

/** Writes a validator file per operation, one for all webhooks and one for all components. */
export async function validators(names = documents): Promise<void> {
  const current = fingerprints(readBundle(currentVersion))
  for (const name of names) {
    const contract = readBundle(name)
    const own = fingerprints(contract)
    const isTouched = (file: string) => name === currentVersion || own[file] !== current[file]
    const files = filesOf(contract).filter((file) => isTouched(file.name))
    await write(contract, name, files)
  }
}

/** The validator files that a document has of its own; the others are the current version's. */
export function ownFiles(document: string): Set<string> {
  const own = fingerprints(readBundle(document))
  const current = fingerprints(readBundle(currentVersion))
  const names = Object.keys(own)
  return new Set(names.filter((name) => document === currentVersion || own[name] !== current[name]))
}

function filesOf(contract: Contract): ValidatorFile[] {
  const ofOperations = eachOperation(contract).map(({ operation }) => {
    const request = nameOf(requestSchema(operation))
    const response = nameOf(responseSchema(contract, operation))
    const exports = [
      { name: 'request', entry: { schema: request, form: 'request' as const }, type: request },
      { name: 'response', entry: { schema: response, form: 'tolerant' as const }, type: response },
    ]
    return { name: operation.operationId, exports }
  })
  const webhooks = eachWebhook(contract).map(({ schema }) => exported(nameOf(schema), 'tolerant'))
  const answered = reach(contract, answers(contract))
  const components = Object.keys(contract.components.schemas).map((name) =>
    exported(name, answered.has(name) ? 'tolerant' : 'request'),
  )
  return [
    ...ofOperations,
    { name: 'webhooks', exports: webhooks },
    { name: 'components', exports: components },
  ].filter((file) => file.exports.length > 0)
}

/** A schema that answers and webhooks carry is checked tolerantly, one of requests only as written. */
const exported = (schema: string, form: Form) => ({
  name: schema,
  entry: { schema, form },
  type: schema,
})

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

/** A hash of all that a file's schemas say, so that versions can share the files that are equal. */
function fingerprints(contract: Contract): Record<string, string> {
  return Object.fromEntries(
    filesOf(contract).map((file) => {
      const names = reach(
        contract,
        file.exports.map(({ type }) => type),
      )
      const schemas = [...names].sort().map((name) => [name, contract.components.schemas[name]])
      return [file.name, createHash('sha256').update(checks(schemas)).digest('hex')]
    }),
  )
}

/** The schemas without what no validator reads. */
const checks = (schemas: unknown): string =>
  JSON.stringify(schemas, (key, value) =>
    ['description', 'examples', 'x-enumDescriptions'].includes(key) && typeof value !== 'boolean'
      ? undefined
      : value,
  )

async function write(contract: Contract, document: string, files: ValidatorFile[]): Promise<void> {
  const folder = join(generatedFolder(document), 'validators')
  const compiled = compileForms(
    contract,
    files.flatMap((file) => file.exports.map((e) => e.entry)),
  )
  const sources = Object.fromEntries(files.map((file) => [file.name, faceOf(contract, file)]))
  const { outputFiles } = await build({
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
    minifySyntax: true,
    banner: { js: banner('validators/validators.ts').trim() },
    plugins: [splitModules(compiled, sources)],
    logLevel: 'warning',
  })
  // Only now that all has compiled does it take the place of what was there.
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'shared'), { recursive: true })
  for (const { path, contents } of outputFiles) writeFileSync(path, contents)
  for (const file of files) writeFileSync(join(folder, `${file.name}.d.ts`), declare(file))
}

/** The source of an entry: the compiled schemas behind the typed face of `src/validators`. */
function faceOf(contract: Contract, file: ValidatorFile): string {
  const lines = file.exports.map(({ name, entry }, index) => {
    const hints = entry.form === 'request' ? collectHints(contract, entry.schema) : {}
    const given = Object.keys(hints).length > 0 ? `, ${JSON.stringify(hints)}` : ''
    return [
      `import compiled${index} from 'compiled:${entry.form}_${entry.schema}'`,
      `export const ${name} = /* @__PURE__ */ validator(compiled${index}${given})`,
    ].join('\n')
  })
  return [`import { validator } from './src/validators/validate.ts'`, ...lines].join('\n')
}

function declare(file: ValidatorFile): string {
  const lines = file.exports.map(
    ({ name, type }) => `export declare const ${name}: Validator<components['schemas']['${type}']>`,
  )
  return [
    banner('validators/validators.ts').trim(),
    `import type { Validator } from '../../../src/validators/validate.js'`,
    `import type { components } from '../types.js'`,
    ...lines,
    '',
  ].join('\n')
}
