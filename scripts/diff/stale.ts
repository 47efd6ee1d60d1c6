import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../contract/contract.ts'

/** A checkout writes its files within some seconds, in any order. */
const toleranceMs = 10_000

/** A file written by hand that is newer than the bundles, which then do not know it. */
export function newerThanBundles(): string | undefined {
  const changedAt = (file: string) => statSync(join(root, file)).mtimeMs
  const bundled = Math.min(...globSync('generated/*/openapi.json', { cwd: root }).map(changedAt))
  return globSync('openapi/**/*.yaml', { cwd: root }).find(
    (file) => changedAt(file) > bundled + toleranceMs,
  )
}
