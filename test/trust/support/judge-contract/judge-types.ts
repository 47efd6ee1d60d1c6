import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { type Contract, generatedFolder, root } from '../../../../scripts/contract/contract.ts'
import { typesOf } from '../../../../scripts/generate/types.ts'
import type { Mutant } from './mutants.ts'

// What is written against the types: the service, the client, and the tests of both.
const programs = [
  'src/{server,client,testing,webhooks}/**/*.ts',
  'src/index.ts',
  'test/{server,client}/**/*.ts',
]
const atMost = 6
const typed = /^(property|required|value|constant|type|null)/

/** Compiles what uses the types of a version, with those of a broken contract in their place. */
export function createTypeJudge(version: string) {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, root)
  const files = globSync(programs, { cwd: root }).map((file) => join(root, file))
  const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
  const place = join(generatedFolder(version), 'types.ts')
  const parsed = new Map<string, ts.SourceFile | undefined>()
  let own = ''
  const host = ts.createCompilerHost(options)
  const { getSourceFile } = host
  host.getSourceFile = (path, ...rest) => {
    if (path === place && own !== '') return ts.createSourceFile(path, own, rest[0])
    if (!parsed.has(path)) parsed.set(path, getSourceFile.call(host, path, ...rest))
    return parsed.get(path)
  }
  let program = ts.createProgram(files, options, host)

  /** The files that speak of what was changed: those of the service first. */
  function concerned({ about, path, kind }: Mutant): string[] {
    const named = /property|required|value|constant/.test(kind) ? about : lastName(path)
    const words = [named, String(path[2])].filter(Boolean)
    const found = words.flatMap((word) => files.filter((file) => texts.get(file)?.includes(word!)))
    return [...new Set(found)].slice(0, atMost)
  }

  const wordsOf = (file: string): string[] =>
    program
      .getSemanticDiagnostics(program.getSourceFile(file))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))

  const usual = new Map<string, string[]>()

  /** Learns what is wrong with files as they are, before a break is blamed for it. */
  function learn(wanted: string[]): void {
    const unknown = wanted.filter((file) => !usual.has(file))
    if (unknown.length === 0) return
    own = ''
    program = ts.createProgram(files, options, host, program)
    for (const file of unknown) usual.set(file, wordsOf(file))
  }

  return async (mutant: Mutant, contract: Contract): Promise<string | undefined> => {
    if (!typed.test(mutant.kind) || mutant.path[1] !== 'schemas') return undefined
    const wanted = concerned(mutant)
    learn(wanted)
    own = await typesOf(contract)
    program = ts.createProgram(files, options, host, program)
    for (const file of wanted) {
      const found = wordsOf(file).find((words) => !usual.get(file)!.includes(words))
      if (found) return found
    }
    return undefined
  }
}

/** The property that a place is, or is in. */
function lastName(path: Mutant['path']): string | undefined {
  const index = path.lastIndexOf('properties')
  return index < 0 ? undefined : String(path[index + 1])
}
