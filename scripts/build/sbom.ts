import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { closure } from '../../src/contract/closure.ts'
import { isMain, reject, runCommand, takeArguments } from '../command.ts'
import { root } from '../contract/contract.ts'
import { fileMistake } from '../output-path.ts'

/** A part of a CycloneDX document, as far as it is looked at here. */
interface Component {
  'bom-ref': string
  name: string
  group?: string
  version: string
  hashes?: { alg: string; content: string }[]
  properties?: { name: string; value: string }[]
}

interface Sbom {
  bomFormat: 'CycloneDX'
  specVersion: string
  metadata: { component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

const usage = `usage: npm run sbom -- [FILE]
Writes what the package consists of, as CycloneDX: its dependencies, and what is bundled into it.
Without a file, to standard output. \`npm run build\` comes first.`

/** Everything of the lock, development included, as npm lists it. */
export function readLock(): Sbom {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--offline']
  const quiet = { ...process.env, npm_config_loglevel: 'error' }
  const text = execFileSync('npm', args, { cwd: root, env: quiet, maxBuffer: 2 ** 28 })
  return JSON.parse(text.toString()) as Sbom
}

/** The packages whose code is in the bundle, as `name@version`: those whose licences it carries. */
export function readBundled(): string[] {
  const notices = readFileSync(join(root, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8')
  const heads = notices.matchAll(/^-{80}\n\n(\S+) (\d\S*) \(.+\)$/gm)
  return [...heads].map(([, name, version]) => `${name}@${version}`)
}

/** What somebody gets who installs the package. */
export function toPackageSbom(lock: Sbom, bundled: readonly string[]): Sbom {
  const own = lock.metadata.component['bom-ref']
  const { name: ownName, dependencies: direct = {} } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as { name: string; dependencies?: Record<string, string> }
  const installed = closure(
    Object.entries(direct).map(([name, version]) => `${name}@${version}`),
    (ref) => lock.dependencies.find((one) => one.ref === ref)?.dependsOn ?? [],
  )
  const missing = bundled.filter((id) => lock.components.every((one) => idOf(one) !== id))
  if (missing.length > 0) throw new Error(`bundled, and not in the lock: ${missing.join(', ')}`)
  const components = lock.components.filter(
    (one) => installed.has(idOf(one)) || bundled.includes(idOf(one)),
  )
  const refs = new Set([own, ...components.map((one) => one['bom-ref'])])
  const dependencies = lock.dependencies.filter(({ ref }) => refs.has(ref))
  return {
    ...lock,
    // npm calls it by its folder.
    metadata: { ...lock.metadata, component: { ...lock.metadata.component, name: ownName } },
    components: components.map((one) => ({
      ...one,
      properties: [
        ...(one.properties ?? []).filter(({ name }) => name !== 'cdx:npm:package:development'),
        { name: 'bundled', value: String(!installed.has(idOf(one))) },
      ],
    })),
    dependencies: dependencies.map(({ ref, dependsOn }) => ({
      ref,
      dependsOn: dependsOn.filter((one) => refs.has(one)),
    })),
  }
}

export const idOf = ({ group, name, version }: Component): string =>
  `${group ? `${group}/` : ''}${name}@${version}`

if (isMain(import.meta.filename)) {
  const [file] = takeArguments(usage, 1).positionals
  const mistake = file === undefined ? undefined : fileMistake(file)
  if (mistake !== undefined) reject(mistake)
  await runCommand(() => {
    const text = `${JSON.stringify(toPackageSbom(readLock(), readBundled()), null, 2)}\n`
    if (file === undefined) process.stdout.write(text)
    else writeFileSync(file, text)
    return true
  })
}
