import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isScalar, visit } from 'yaml'
import { parseSource } from '../../contract/yaml-source.ts'

/** A text in Markdown, and where its first line stands. */
export interface Text {
  file: string
  line: number
  text: string
  /** Lines of the text are lines of the file. */
  sameLines: boolean
}

const documents = ['*.md', '{openapi,scripts,src,test}/**/*.md']
const keys = new Set([
  'summary',
  'description',
  'x-action',
  'x-unreachable',
  'display_message',
  'error_message',
  'error_description',
  'suggested_action',
])

export function proseOf(root: string): Text[] {
  const markdown = globSync(documents, { cwd: root, exclude: ['**/node_modules/**'] }).sort()
  const contract = globSync('openapi/**/*.yaml', { cwd: root }).sort()
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  return [
    ...markdown.map((file) => ({ file, line: 1, text: read(file), sameLines: true })),
    ...contract.flatMap((file) => textsOfContract(file, read(file))),
  ]
}

/** The texts of a file of the contract, each with the line where it begins. */
export function textsOfContract(file: string, source: string): Text[] {
  const { document, lines } = parseSource(file, source)
  const texts: Text[] = []
  visit(document, {
    Pair(_, { key, value }) {
      if (!isScalar(key) || !keys.has(String(key.value))) return
      if (!isScalar(value) || typeof value.value !== 'string') return
      const block = value.type === 'BLOCK_LITERAL'
      const { line } = lines.linePos(value.range?.[0] ?? 0)
      texts.push({ file, line: block ? line + 1 : line, text: value.value, sameLines: block })
    },
  })
  return texts
}
