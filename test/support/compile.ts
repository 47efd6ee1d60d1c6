import { join } from 'node:path'
import ts from 'typescript'
import { root } from '../../scripts/contract/contract.ts'

const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
// What the project consists of does not matter here, and takes time to find.
const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, root)

const parsed = new Map<string, ts.SourceFile | undefined>()

/** A host that reads and parses what is imported once, whatever is compiled. */
function createHost(): ts.CompilerHost {
  const host = ts.createCompilerHost(options)
  const { getSourceFile } = host
  host.getSourceFile = (path, ...rest) => {
    if (!parsed.has(path)) parsed.set(path, getSourceFile.call(host, path, ...rest))
    return parsed.get(path)
  }
  return host
}

/** Compiles sources by themselves, which may import from the repository; what is wrong with each. */
export function compileAll(sources: string[], folder = 'test/contract'): string[][] {
  const texts = new Map(
    sources.map((source, index) => [join(root, folder, `in-memory-${index}.ts`), source]),
  )
  const host = createHost()
  const { getSourceFile, fileExists, readFile } = host
  host.fileExists = (path) => texts.has(path) || fileExists.call(host, path)
  host.readFile = (path) => texts.get(path) ?? readFile.call(host, path)
  host.getSourceFile = (path, ...rest) => {
    const text = texts.get(path)
    if (text === undefined) return getSourceFile.call(host, path, ...rest)
    return ts.createSourceFile(path, text, rest[0])
  }
  const program = ts.createProgram([...texts.keys()], options, host)
  return [...texts.keys()].map((file) => problemsOf(program, file))
}

/** Compiles one source as `compileAll` does. */
export const compile = (source: string): string[] => compileAll([source])[0] ?? []

/** What is wrong with each of several files, which may import each other. */
export function compileFiles(files: string[]): Map<string, string[]> {
  const program = ts.createProgram(files, options, createHost())
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
