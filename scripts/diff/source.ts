import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { currentVersion, root, sourceFolder, written } from '../contract/contract.ts'
import { lineOf, readSource } from '../contract/yaml-source.ts'
import type { Finding } from './finding.ts'
import { unescapeKey } from './node.ts'

/** Where in the files written by hand something stands; what is gone, where it stood. */
export interface Source {
  file: string
  line: number
}

/** Finds the line that a place of a bundle comes from. */
export function sourceOf({ at, documents }: Pick<Finding, 'at' | 'documents'>): Source {
  const keys = at.split('/').slice(1).map(unescapeKey)
  const home = written.find((name) => documents.includes(name))
  const overlay = `openapi/versions/${documents.at(-1)}.overlay.yaml`
  if (!home && existsSync(join(root, overlay))) return inOverlay(overlay, keys)
  const { file, below } = fileOf(sourceFolder(home ?? currentVersion), keys)
  return { file, line: lineOf(readSource(root, file), below) }
}

const components = new Map(
  written.flatMap((name) =>
    globSync(`${sourceFolder(name)}/{components,errors}/**/*.yaml`, { cwd: root }).map(
      (file): [string, string] => [basename(file, '.yaml'), file],
    ),
  ),
)

/** The file that holds a place, and what is left of the way to it. */
function fileOf(home: string, keys: string[]): { file: string; below: string[] } {
  const main = `${home}/openapi.yaml`
  const [section = '', first = '', second = ''] = keys
  const isComponent = section === 'components'
  const file = isComponent ? components.get(second) : readLink(main, section, first)
  return file ? { file, below: keys.slice(isComponent ? 3 : 2) } : { file: main, below: keys }
}

/** The file that a path or a webhook of the main file refers to. */
function readLink(main: string, section: string, key: string): string | undefined {
  const link = readSource(root, main).document.getIn([section, key, '$ref'])
  return typeof link === 'string' ? join(dirname(main), link.split('#')[0]!) : undefined
}

/** The action whose target names the component, or the path. */
function inOverlay(file: string, keys: string[]): Source {
  const name = keys[0] === 'components' ? keys[2] : keys[1]
  const all = readFileSync(join(root, file), 'utf8').split('\n')
  const index = name ? all.findIndex((line) => line.includes('target:') && line.includes(name)) : -1
  return { file, line: Math.max(index, 0) + 1 }
}
