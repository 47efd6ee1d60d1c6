import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A Node of this machine that is new enough for the client and too old for the service. */
export const olderNode = (process.env['OLDER_NODE'] ?? process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((path) => [path, join(path, 'node')])
  .filter((path) => !path.includes('node_modules') && path.endsWith('node') && existsSync(path))
  .find((path) => ['20', '21', '22', '23'].includes(majorOf(path)))

/** Whether it loads ES modules by `require`; Node 20 does from 20.19 on. */
export const canRequire =
  olderNode !== undefined &&
  spawnSync(olderNode, ['--print', 'process.features.require_module'])
    .stdout.toString()
    .startsWith('true')

function majorOf(node: string): string {
  try {
    return execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).split('.')[0]!
  } catch {
    return ''
  }
}

if (olderNode === undefined) {
  const line = 'SKIPPED: the package on Node 20: no such Node was found, name one in OLDER_NODE'
  if (process.env['REQUIRE_ALL']) throw new Error(line)
  console.log(line)
}
