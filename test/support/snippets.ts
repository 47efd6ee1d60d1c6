import { globSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/contract/contract.ts'
import { guideFolder } from '../../scripts/docs/guides.ts'

/** A block of code in a document. */
export interface Snippet {
  /** The document, and which of its blocks this is. */
  place: string
  /** What other snippets import it by, if it says so in its first line. */
  name: string | undefined
  code: string
  /** What it prints, where the document says that. */
  prints: string | undefined
}

const block = /^```(\w+)(?: \[[^\]\n]*\])?\n(.*?)^```\n/gms

/** What follows a block whose output is shown, or a group of tabs of which it is one. */
const printed =
  /(?:\n```\w+ \[[^\]\n]*\]\n(?:(?!```)[^\n]*\n)*```\n)*(?:\n:::\n)?\nThat prints[^\n]*:\n\n```text\n(.*?)^```/msy

/** The blocks of a language; in sources, those of their doc comments. */
export function snippetsOf(file: string, language: string): Snippet[] {
  const text = readFileSync(join(root, file), 'utf8').replace(/^ \* ?/gm, '')
  const blocks = [...text.matchAll(block)].filter(([, found]) => found === language)
  return blocks.map(({ 0: whole, 2: code = '', index: start }, index) => ({
    place: `${file} ${index + 1}`,
    name: code.match(/^\/\/ ([\w-]+\.ts)\n/)?.[1],
    code,
    prints: printedAfter(text, start + whole.length),
  }))
}

function printedAfter(text: string, end: number): string | undefined {
  printed.lastIndex = end
  return printed.exec(text)?.[1]
}

/** The package's own names, as paths from a folder two levels below the root to the sources. */
export const fromSources = (code: string): string =>
  code
    .replaceAll(/'financial-data-service\/validators\/(\w+)'/g, `'#contract/validators/$1.js'`)
    .replaceAll(
      /'financial-data-service\/versions\/([\w-]+)\/types'/g,
      `'../../generated/$1/types.ts'`,
    )
    .replaceAll(`'financial-data-service/checks'`, `'../../src/client/checks.ts'`)
    .replaceAll(`'financial-data-service/enums'`, `'#contract/enums.ts'`)
    .replaceAll(`'financial-data-service/connector'`, `'../../src/connector/index.ts'`)
    .replaceAll(`'financial-data-service/connector-tests'`, `'../../src/connector-tests/index.ts'`)
    .replaceAll(`'financial-data-service/errors'`, `'../../src/client/advice.ts'`)
    .replaceAll(`'financial-data-service/link'`, `'../../src/link/index.ts'`)
    .replaceAll(`'financial-data-service/testing/msw'`, `'../../src/testing/msw.ts'`)
    .replaceAll(`'financial-data-service/testing'`, `'../../src/testing/index.ts'`)
    .replaceAll(`'financial-data-service/webhooks'`, `'../../src/webhooks/index.ts'`)
    .replaceAll(`'financial-data-service'`, `'../../src/index.ts'`)

const files = [
  'README.md',
  'openapi/introduction.md',
  ...globSync(`${guideFolder}/*.md`, { cwd: root }),
  ...globSync('src/{client,connector,connector-tests,link,testing,validators,webhooks}/*.ts', {
    cwd: root,
  }),
]

/** Every TypeScript example of the README, the introduction, the guides and the doc comments. */
export const examples: Snippet[] = files.flatMap((file) => snippetsOf(file, 'ts'))

/** The file of an example in the folder of `writeExamples`. */
export const exampleFile = ({ name, place }: Snippet): string =>
  name ?? `${place.replaceAll(/\W/g, '-')}.ts`

/** Writes the examples into a new folder, which can import the sources; `edit` changes each. */
export function writeExamples(edit: (code: string) => string = (code) => code): string {
  mkdirSync(join(root, '.cache'), { recursive: true })
  const folder = mkdtempSync(join(root, '.cache/snippets-'))
  for (const example of examples) {
    writeFileSync(join(folder, exampleFile(example)), edit(fromSources(example.code)))
  }
  return folder
}
