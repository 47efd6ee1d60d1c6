import { join } from 'node:path'
import ts from 'typescript'
import { root } from '../../scripts/contract.ts'

/** Compiles one source, which may import from the repository, and returns what is wrong with it. */
export function compile(source: string, name = 'test/contract/in-memory.ts'): string[] {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const file = join(root, name)
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists, readFile } = host
  host.fileExists = (path) => path === file || fileExists.call(host, path)
  host.readFile = (path) => (path === file ? source : readFile.call(host, path))
  host.getSourceFile = (path, ...rest) =>
    path === file
      ? ts.createSourceFile(path, source, rest[0])
      : getSourceFile.call(host, path, ...rest)
  const program = ts.createProgram([file], options, host)
  const sourceFile = program.getSourceFile(file)
  const diagnostics = [
    ...program.getSyntacticDiagnostics(sourceFile),
    ...program.getSemanticDiagnostics(sourceFile),
  ]
  return diagnostics.map(({ messageText, start = 0 }) => {
    const line = source.slice(0, start).split('\n').length
    return `${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
  })
}
