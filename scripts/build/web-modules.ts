import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { closure } from '../../src/contract/closure.ts'
import { root } from '../contract/contract.ts'
import { entries, installed, isValidator, programs } from './entries.ts'
import { newestPath } from './newest-path.ts'

const configFile = join(root, 'src/tsconfig.json')

/** What one source file becomes. */
interface Compiled {
  module: string
  declaration: string
}

/**
 * Compiles the public entries, and what they lead to, file by file; declarations of the testing
 * entry too, whose module is a bundle. `npm run typecheck` has judged the types: here none is.
 */
export function buildWebModules(folder: string): void {
  const sources = entries.map((entry) => join(root, entry))
  const program = ts.createProgram(sources, { ...readOptions(), noCheck: true })
  const compiled = new Map<string, Compiled>()
  const compileOnce = (file: string): Compiled => {
    const known = compiled.get(file) ?? compile(program, file)
    compiled.set(file, known)
    return known
  }
  const modules = entries.filter((entry) => !programs.includes(entry))
  for (const file of closure(modules, (one) => importsIn(one, compileOnce(one).module))) {
    write(folder, file.replace(/\.ts$/, '.js'), compileOnce(file).module)
  }
  for (const file of closure(entries, (one) => importsIn(one, compileOnce(one).declaration))) {
    write(folder, file.replace(/\.ts$/, '.d.ts'), compileOnce(file).declaration)
  }
}

function readOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(configFile, ts.sys.readFile)
  return ts.parseJsonConfigFileContent(config, ts.sys, dirname(configFile)).options
}

function compile(program: ts.Program, file: string): Compiled {
  const source = program.getSourceFile(join(root, file))
  const result = { module: '', declaration: '' }
  if (!source) throw new Error(`${file} is imported by a public entry and is not there`)
  program.emit(source, (name, text) => {
    result[name.endsWith('.d.ts') ? 'declaration' : 'module'] = withPaths(file, text)
  })
  return result
}

/** The text of a module with the imports of the newest version as relative paths, as in the package. */
function withPaths(file: string, text: string): string {
  return text.replaceAll(/(?<=["'])#contract\/[^"']+(?=["'])/g, (specifier) => {
    const path = relative(dirname(file), newestPath(specifier) ?? specifier)
    return path.replace(/\.ts$/, '.js')
  })
}

/** The source files that a compiled text imports; validators are JavaScript, and copied. */
function importsIn(file: string, text: string): string[] {
  const specifiers = ts.preProcessFile(text, true, true).importedFiles.map((one) => one.fileName)
  const packages = specifiers.filter((specifier) => !specifier.startsWith('.'))
  const paths = specifiers
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => relative(root, join(root, dirname(file), specifier)))
  rejectForeign(file, packages, paths)
  return paths.filter((path) => !isValidator(path)).map((path) => path.replace(/\.js$/, '.ts'))
}

/**
 * What runs in browsers, and what describes the public entries, needs nothing but itself and what
 * is installed with it: no module of Node, and nothing of the service.
 */
function rejectForeign(file: string, packages: readonly string[], paths: readonly string[]): void {
  const foreign = [
    ...packages.filter((specifier) => !installed.includes(specifier.split('/')[0] ?? '')),
    ...paths.filter((path) => path.startsWith('src/server/')),
  ]
  if (foreign.length === 0) return
  throw new Error(`${file} is public, and imports ${foreign.join(' and ')}`)
}

function write(folder: string, path: string, text: string): void {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
