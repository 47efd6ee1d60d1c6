import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { build, type Plugin } from 'esbuild'
import ts from 'typescript'
import { closure } from '../../src/contract/closure.ts'
import { currentVersion, root, versions } from '../contract/contract.ts'
import { entries, type Manifest, manifest, validatorsOf } from './entries.ts'
import { newestPath } from './newest-path.ts'
import { writeNotices } from './notices.ts'

/** The package for programs that only call the service; see DECISIONS.md. */
export const lightName = 'financial-data-client'

/** Where a build has it. */
export const lightFolder = 'light'

/** What runs or describes the service, or an older version, or repeats what other validators hold. */
const leftOut = /^\.\/(connector|testing|versions|openapi)|^\.\/validators\/components/

/** Makes the light package from the declarations of a build and from the sources. */
export async function buildLightPackage(folder: string): Promise<void> {
  const light = join(folder, lightFolder)
  rmSync(light, { recursive: true, force: true })
  const exports = lightExports()
  const modules = [...entries, ...validatorsOf(currentVersion)].filter((path) => {
    return isExported(exports, path.replace(/\.ts$/, '.js'))
  })
  const inputs = await bundle(light, modules)
  writeDeclarations(folder, light, modules)
  writeNotices(light, [...inputs, ...Object.values(declarationsOf)])
  cpSync(join(root, 'LICENSE'), join(light, 'LICENSE'))
  writeFileSync(join(light, 'README.md'), readme())
  writeFileSync(join(light, 'package.json'), `${JSON.stringify(lightManifest(exports), null, 2)}\n`)
}

/** The entries of the main package that the light one has, at its own paths. */
function lightExports(): Manifest['exports'] {
  const kept = Object.entries(manifest.exports).filter(([name]) => !leftOut.test(name))
  const own = JSON.stringify(Object.fromEntries(kept)).replaceAll('./dist/', './')
  return { ...JSON.parse(own), './validators/components': null }
}

const isExported = (exports: Manifest['exports'], path: string): boolean =>
  !/validators\/components\./.test(path) &&
  Object.values(exports).some(
    (target) =>
      target instanceof Object &&
      new RegExp(`^\\./${target.default.slice(2).replace('*', '[^/]+')}$`).test(`./${path}`),
  )

function lightManifest(exports: Manifest['exports']): object {
  const { version, keywords, license, type, engines, sideEffects } = manifest
  const description =
    'Typed client, webhook verification and validators of the Financial Data Service.'
  const common = { version, description, keywords, license, type, engines, sideEffects }
  return { name: lightName, ...common, exports }
}

/** Bundles the modules, which share what they have in common; returns what they are made of. */
async function bundle(light: string, modules: string[]): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: modules,
    outdir: light,
    outbase: '.',
    chunkNames: 'chunks/[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
    plugins: [newestVersion, withoutPlatformChecks, shortPlaces],
    metafile: true,
    logLevel: 'error',
  })
  return Object.keys(metafile.inputs)
}

/** Each older version would bring validators of its own, larger than all the rest. */
const newestVersion: Plugin = {
  name: 'newest version',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^#contract\// }, ({ path }) => ({
      path: join(root, newestPath(path) ?? path),
    }))
    onLoad({ filter: /generated\/versions\.ts$/ }, () => ({
      contents: `export const versions = {
        '${currentVersion}': () => import('./${currentVersion}/operations.ts'),
      }`,
      resolveDir: join(root, 'generated'),
    }))
  },
}

/** The validators of operations without versions are as large as their share: their bodies pass. */
const withoutPlatformChecks: Plugin = {
  name: 'without checks of the platform',
  setup({ onLoad }) {
    onLoad({ filter: /generated\/platform\/operations\.ts$/ }, () => ({
      contents: `const all = { issues: () => [] }
        const load = async () => ({ request: all, response: all })
        export const validators = new Proxy({}, {
          get: () => load,
          getOwnPropertyDescriptor: () => ({ configurable: true, value: load }),
        })`,
    }))
  },
}

/** Of the place of a rule only what `src/validators/issues.ts` reads: whether it is part of another. */
const shortPlaces: Plugin = {
  name: 'short places',
  setup({ onLoad }) {
    onLoad({ filter: /\/validators\/.*\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll(
        /(?<=schemaPath: ")(?![^"]*\/(?:oneOf|anyOf|not|propertyNames|then|else)\b)[^"]*/g,
        '',
      ),
    }))
  },
}

/** Packages that are bundled, and their declarations. */
const declarationsOf: Record<string, string> = {
  'openapi-fetch': 'node_modules/openapi-fetch/dist/index.d.mts',
  'openapi-typescript-helpers': 'node_modules/openapi-typescript-helpers/dist/index.d.mts',
}

/** Copies the declarations of the modules, and of everything that they import. */
function writeDeclarations(folder: string, light: string, modules: string[]): void {
  const first = modules.map((path) => path.replace(/\.[jt]s$/, '.d.ts'))
  const texts = new Map<string, string>()
  for (const file of closure(first, (one) => {
    const text = lighten(one, readFileSync(sourceOf(folder, one), 'utf8'))
    texts.set(one, text)
    return importsIn(one, text)
  })) {
    mkdirSync(dirname(join(light, file)), { recursive: true })
    writeFileSync(join(light, file), texts.get(file) ?? '')
  }
}

function sourceOf(folder: string, file: string): string {
  const bundled = declarationsOf[file.replace(/^types\/|\.d\.ts$/g, '')]
  return bundled ? join(root, bundled) : join(folder, file)
}

const importsIn = (file: string, text: string): string[] =>
  ts
    .preProcessFile(text, true, true)
    .importedFiles.map(({ fileName }) => join(dirname(file), fileName).replace(/\.[jt]s$/, '.d.ts'))

/** What other types need to know of operations: which webhooks there are. */
const ofOperations = /^export declare const webhooks: \{\n[\s\S]*?^\};\n/m

/** What openapi-typescript writes of webhooks: their bodies are typed by the schemas. */
const webhookPaths = /^export interface webhooks \{\n[\s\S]*?^\}\n/gm

/** The types of `client.raw`, and a comment: the methods of the client say the same of each operation. */
const rawTypes = /^export interface (?:paths|operations) \{\n[\s\S]*?^\}\n/gm
const comment = /^ *\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n/gm

/**
 * A declaration without older versions, tables of operations, webhooks as paths, comments that others
 * repeat, long examples and indents, and with packages beside it.
 */
function lighten(file: string, text: string): string {
  const specifier = (name: string) => {
    const path = relative(dirname(file), `types/${name}.js`)
    return path.startsWith('.') ? path : `./${path}`
  }
  const older = versions.filter((version) => version !== currentVersion)
  const needed = /generated\/[^/]+\/operations\.d\.ts$/.test(file)
    ? (ofOperations.exec(text)?.[0] ?? text)
    : text
  const short = older.reduce(withoutVersion, needed)
  return short
    .replaceAll(webhookPaths, '')
    .replaceAll(rawTypes, (found) => found.replaceAll(comment, ''))
    .replaceAll(/\n\s+\* @example [[{][\s\S]*?(?=\n\s+\*(?:\/| @))/g, '')
    .replaceAll(/^ +/gm, '')
    .replaceAll(/^\/\*\* One of the values of \{@link \w+\} that this release knows\. \*\/\n/gm, '')
    .replaceAll(manifest.name, lightName)
    .replaceAll(/(?<=from ["'])openapi-[\w-]+(?=["'])/g, specifier)
}

/** Drops a version from the tables of versions, and from lists of those that a method takes. */
function withoutVersion(text: string, version: string): string {
  const compact = version.replaceAll('-', '')
  return text
    .replaceAll(new RegExp(`^import type .*${compact} .*\\n`, 'gm'), '')
    .replaceAll(new RegExp(`^ *'${version}': \\{[^}]*\\};\\n`, 'gm'), '')
    .replaceAll(`'${version}' | `, '')
}

const readme = (): string => `# ${lightName}

The typed client, the webhook verification and the validators of \`${manifest.name}\`, without the
service, its mock and its command: the same code, for programs that only call. It has no dependencies, and
needs Node 20, a browser or a worker. It is an ES module; \`require\` loads it from Node 20.19 on.

\`\`\`ts
import { createClient } from '${lightName}'

const client = createClient({
  baseUrl: 'http://127.0.0.1:4000',
  clientId: 'sandbox-client',
  secret: 'sandbox-secret',
})
const { data, error } = await client.walletList({})
console.log(error ? error.error_code : data.wallets.length)
\`\`\`

\`/webhooks\`, \`/validators/<operationId>\`, \`/validators/webhooks\`, \`/checks\`, \`/enums\` and \`/errors\` are
what they are there, but \`/checks\` lets bodies of the platform API pass. It has the types and validators of
the dated version ${currentVersion}; install \`${manifest.name}\` for an older one, for validators of single
resources, and for tests with the service.
Import either package in a program, not both: an error of one is no instance of the other's class.
`
