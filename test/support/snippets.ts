import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { root } from '../../scripts/contract.ts'

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

const block = /^```(\w+)\n(.*?)^```\n(?:\nThat prints[^\n]*:\n\n```text\n(.*?)^```)?/gms

/** The blocks of a language; in sources, those of their doc comments. */
export function snippetsOf(file: string, language: string): Snippet[] {
  const text = readFileSync(join(root, file), 'utf8').replace(/^ \* ?/gm, '')
  const blocks = [...text.matchAll(block)].filter(([, found]) => found === language)
  return blocks.map(([, , code = '', prints], index) => ({
    place: `${file} ${index + 1}`,
    name: code.match(/^\/\/ ([\w-]+\.ts)\n/)?.[1],
    code,
    prints,
  }))
}

/** The package's own names, as paths from a folder two levels below the root to the sources. */
export const fromSources = (code: string): string =>
  code
    .replaceAll(
      /'financial-data-service\/validators\/(\w+)'/g,
      `'../../generated/2020-09-14/validators/$1.js'`,
    )
    .replaceAll(
      /'financial-data-service\/versions\/([\w-]+)\/types'/g,
      `'../../generated/$1/types.ts'`,
    )
    .replaceAll(`'financial-data-service'`, `'../../src/index.ts'`)

/** What is wrong with each of several files, which may import each other. */
export function compileFiles(files: string[]): Map<string, string[]> {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const program = ts.createProgram(files, options)
  return new Map(files.map((file) => [file, problemsOf(program, file)]))
}

function problemsOf(program: ts.Program, file: string): string[] {
  const source = program.getSourceFile(file)
  const found = [
    ...program.getSyntacticDiagnostics(source),
    ...program.getSemanticDiagnostics(source),
  ]
  return found.map(({ messageText, start = 0 }) => {
    const line = source?.getLineAndCharacterOfPosition(start).line ?? 0
    return `${line + 1}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
  })
}
