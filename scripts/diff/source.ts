import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import { currentVersion, root, sandbox } from '../contract/contract.ts'
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
  const older = documents.every((name) => name !== currentVersion && name !== sandbox)
  const overlay = `openapi/versions/${documents.at(-1)}.overlay.yaml`
  if (older && existsSync(join(root, overlay))) return inOverlay(overlay, keys)
  const home = documents.includes(currentVersion) ? 'openapi' : 'openapi/sandbox'
  const { file, below } = fileOf(home, keys)
  return { file, line: lineOf(file, below) }
}

const components = new Map(
  globSync('openapi/{,sandbox/}{components,errors}/**/*.yaml', { cwd: root }).map((file) => {
    return [basename(file, '.yaml'), file]
  }),
)

/** The file that holds a place, and what is left of the way to it. */
function fileOf(home: string, keys: string[]): { file: string; below: string[] } {
  const main = `${home}/openapi.yaml`
  const [section, first = '', second = ''] = keys
  if (section === 'components') {
    const file = components.get(second)
    return file ? { file, below: keys.slice(3) } : { file: main, below: keys }
  }
  const file = section && readLink(main, section, first)
  return file ? { file, below: keys.slice(2) } : { file: main, below: keys }
}

/** The file that a path or a webhook of the main file refers to. */
function readLink(main: string, section: string, key: string): string | undefined {
  const link = read(main).document.getIn([section, key, '$ref'])
  return typeof link === 'string' ? join(dirname(main), link.split('#')[0]!) : undefined
}

function read(file: string) {
  const lines = new LineCounter()
  const text = readFileSync(join(root, file), 'utf8')
  return { text, lines, document: parseDocument(text, { lineCounter: lines }) }
}

/** The line of the key that the way leads to, as far as it goes in this file. */
function lineOf(file: string, keys: string[]): number {
  const { document, lines } = read(file)
  let node: unknown = document.contents
  let offset = 0
  for (const key of keys) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === key)
      if (!pair || !isScalar(pair.key)) break
      offset = pair.key.range?.[0] ?? offset
      node = pair.value
    } else if (isSeq(node) && node.items[Number(key)]) {
      node = node.items[Number(key)]
      offset = (node as { range?: [number] }).range?.[0] ?? offset
    } else break
  }
  return lines.linePos(offset).line
}

/** The action whose target names the component, or the path. */
function inOverlay(file: string, keys: string[]): Source {
  const name = keys[0] === 'components' ? keys[2] : keys[1]
  const all = read(file).text.split('\n')
  const index = name ? all.findIndex((line) => line.includes('target:') && line.includes(name)) : -1
  return { file, line: Math.max(index, 0) + 1 }
}
