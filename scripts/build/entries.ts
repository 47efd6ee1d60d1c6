import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../contract/contract.ts'

/**
 * The service, bundled apart: what it shared with other programs would be dozens of small files, and
 * each takes its time to load.
 */
export const service = 'src/server/serve.ts'

/** The programs, and what else runs the service: each is bundled with everything that it needs. */
export const programs = [
  'src/cli/main.ts',
  'src/server/main.ts',
  'src/institution-list/worker.ts',
  'src/server/sources/worker.ts',
  'src/mock/main.ts',
  'src/testing/index.ts',
]

/** Whether a path leads to the validators, which are generated as JavaScript. */
export const isValidator = (path: string): boolean => /^generated\/[^/]+\/validators\//.test(path)

/** The validators of a version, beside what they share. */
export const validatorsOf = (version: string): string[] =>
  globSync(`generated/${version}/validators/*.js`, { cwd: root }).sort()

export interface Manifest extends Record<string, unknown> {
  name: string
  exports: Record<string, string | null | { types: string; default: string }>
  dependencies: Record<string, string>
  peerDependencies?: Record<string, string>
}

export const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest

/** The packages that an installation brings or expects. */
export const installed = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })

/** The modules that `exports` of package.json names, validators aside; they are copied whole. */
export const entries: string[] = Object.values(manifest.exports)
  .flatMap((target) => (target instanceof Object ? [target.default] : []))
  .map((path) => path.replace('./dist/', ''))
  .filter((path) => !isValidator(path))
  .map((path) => path.replace(/\.js$/, '.ts'))
  .flatMap((path) => (path.includes('*') ? globSync(path, { cwd: root }).sort() : [path]))
  .filter((path) => existsSync(join(root, path)) || missing(path))

/** Only a warning: a test compares the package with `exports`. */
function missing(path: string): false {
  console.warn(`build: ${path} is named by package.json and is not there`)
  return false
}
