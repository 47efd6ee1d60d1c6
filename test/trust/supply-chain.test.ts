import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { idOf, readBundled, readLock, toPackageSbom } from '../../scripts/build/sbom.ts'
import { root } from '../../scripts/contract/contract.ts'
import { report } from './support/report.ts'

interface LockedPackage {
  version?: string
  integrity?: string
  resolved?: string
  link?: boolean
  hasInstallScript?: boolean
}

interface Manifest {
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  overrides?: Record<string, unknown>
  allowScripts?: Record<string, boolean>
}

const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const manifestIn = (folder: string): Manifest => JSON.parse(read(`${folder}package.json`))
const lockIn = (folder: string): [string, LockedPackage][] => {
  const { packages } = JSON.parse(read(`${folder}package-lock.json`)) as {
    packages: Record<string, LockedPackage>
  }
  return Object.entries(packages).filter(([place]) => place !== '')
}
const nameAt = (place: string): string => place.replace(/^.*node_modules\//, '')

const folders = ['', 'test/consumers/']

test('every package is locked to one version, by its hash, from the registry', () => {
  const locked = folders.flatMap(lockIn)
  const loose = locked.filter(([, { integrity = '' }]) => !/^sha512-[\w+/]{86}==/.test(integrity))
  const elsewhere = locked.filter(([, { resolved, link }]) => {
    return link || (resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/'))
  })
  const ranges = folders
    .map(manifestIn)
    .flatMap(({ dependencies = {}, devDependencies = {} }) =>
      Object.entries({ ...dependencies, ...devDependencies }).filter(
        ([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
      ),
    )
  report('the lock has every package by version and hash', {
    packages: locked.length,
    without_hash: loose.length,
    from_elsewhere: elsewhere.length,
    ranges: ranges.length,
  })
  expect([loose, elsewhere, ranges]).toEqual([[], [], []])
})

test('no package runs a script at its installation but those that are named', () => {
  const { allowScripts = {} } = manifestIn('')
  const wishing = lockIn('').filter(([, { hasInstallScript }]) => hasInstallScript)
  const named = Object.keys(allowScripts)
  const unnamed = wishing.filter(([place, { version }]) => {
    return !named.includes(nameAt(place)) && !named.includes(`${nameAt(place)}@${version}`)
  })
  const allowed = named.filter((name) => allowScripts[name])
  report('scripts at installation are denied but for those that are named', {
    wishing: wishing.length,
    allowed: allowed.length,
  })
  expect(unnamed).toEqual([])
  expect(allowed.sort()).toEqual(['esbuild', 'node'])
})

test('every direct dependency has its reason, and there is no reason without a dependency', () => {
  const { dependencies = {}, devDependencies = {} } = manifestIn('')
  const direct = Object.keys({ ...dependencies, ...devDependencies })
  const section = read('DECISIONS.md').split('## Dependencies')[1] ?? ''
  const rows = section.split('\n').filter((line) => line.startsWith('| `'))
  const reasons = rows.flatMap((row) => {
    const [, names = ''] = row.split('|')
    return [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
  })
  const without = direct.filter((name) => !reasons.includes(name))
  const idle = reasons.filter((name) => !direct.includes(name))
  report('each dependency is justified', {
    direct: direct.length,
    at_run_time: Object.keys(dependencies).length,
    without_reason: without.length,
  })
  expect({ without, idle }).toEqual({ without: [], idle: [] })
})

test('the list of parts has everything that an installation brings, with its hash', () => {
  const lock = readLock()
  const bundled = readBundled()
  const sbom = toPackageSbom(lock, bundled)
  const parts = sbom.components.map(idOf)
  const unhashed = sbom.components.filter(({ hashes = [] }) => hashes.length === 0)
  const refs = new Set([
    sbom.metadata.component['bom-ref'],
    ...sbom.components.map((one) => one['bom-ref']),
  ])
  const dangling = sbom.dependencies.flatMap(({ dependsOn }) =>
    dependsOn.filter((ref) => !refs.has(ref)),
  )
  report('the list of parts (CycloneDX) is complete', {
    bundled: bundled.length,
    parts: parts.length,
    without_hash: unhashed.length,
    all_of_the_lock: lock.components.length,
  })
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5' })
  expect(sbom.metadata.component.name).toBe('financial-data-service')
  expect(parts).toEqual(expect.arrayContaining(bundled))
  for (const name of [
    'openapi-fetch',
    'openapi-typescript-helpers',
    'fastify',
    'pino',
    'postgres',
  ]) {
    expect(
      parts.some((part) => part.startsWith(`${name}@`)),
      name,
    ).toBe(true)
  }
  expect(parts.some((part) => part.startsWith('vitest@'))).toBe(false)
  expect([unhashed, dangling]).toEqual([[], []])
})

test('no dependency has a known vulnerability that is not answered', { timeout: 120_000 }, () => {
  const quiet = { ...process.env, npm_config_loglevel: 'silent' }
  const { stdout } = spawnSync('npm', ['audit', '--json'], { cwd: root, env: quiet })
  const answer = JSON.parse(stdout.toString() || '{}') as {
    vulnerabilities?: Record<string, { via: (string | { url: string })[] }>
  }
  // Registries of organizations often know packages only. That is no missing program, and no news.
  if (!answer.vulnerabilities) {
    console.log('NOT ASKED: whether dependencies are vulnerable, since the registry does not tell')
    report('known vulnerabilities of dependencies', { asked: 'no: the registry does not tell' })
    return
  }
  const advisories = new Set(
    Object.values(answer.vulnerabilities).flatMap(({ via }) =>
      via.flatMap((one) => (typeof one === 'string' ? [] : [one.url.split('/').at(-1) ?? ''])),
    ),
  )
  const answered = read('SECURITY.md')
  const open = [...advisories].filter((id) => !answered.includes(id))
  report('known vulnerabilities of dependencies', {
    known: advisories.size,
    unanswered: open.length,
  })
  expect(open).toEqual([])
})

test('each row about security names tests that exist', () => {
  const [, text = ''] = read('SECURITY.md').split('## Threats, controls and tests')
  const named = [...new Set(text.match(/test\/[\w/-]+\.test\.ts/g))]
  const missing = named.filter((file) => !existsSync(join(root, file)))
  const risks = text.match(/^\| API\d+ /gm) ?? []
  const rows = text.split('\n').filter((line) => /^\| (API\d+|\d\.\d|a )/.test(line))
  const untested = rows.filter((row) => !/`test\/[\w/-]+\.test\.ts` \|$|\| – \|$/.test(row))
  report('each row of SECURITY.md names its test', { rows: rows.length, tests: named.length })
  expect([missing, untested]).toEqual([[], []])
  expect(risks).toHaveLength(10)
})
