import { ContentError } from '../yaml/content-error.ts'
import type { Problem } from '../yaml/problems.ts'
import type { ExitCode } from './command.ts'
import { readInput } from './input.ts'
import { readOptions } from './options.ts'
import { tellError } from './tell-error.ts'
import { UsageError } from './usage-error.ts'

const options = {
  json: { type: 'boolean', default: false },
  connectors: { type: 'string' },
} as const

/** What a command that checks files does with one. */
export interface FileCheck<Content> {
  /** @throws ContentError with every mistake */
  read(file: string, bytes: Uint8Array, connectors?: string): Content | Promise<Content>
  /** Whether the file may name connectors that an option loads. */
  hasConnectors?: true
  print(content: Content, json: boolean): void
}

/** Runs `check FILE`, and tells of mistakes by their lines. */
export async function checkFile<Content>(
  args: string[],
  { read, print, hasConnectors }: FileCheck<Content>,
): Promise<ExitCode> {
  const { values, positionals } = readOptions(args, options)
  const [what, file, extra] = positionals
  if (what !== 'check') throw new UsageError('say what to do: check')
  if (file === undefined || extra !== undefined) throw new UsageError('name one file')
  if (values.connectors !== undefined && !hasConnectors) {
    throw new UsageError('--connectors is an option of `institutions check`')
  }
  const bytes = await readInput(file)
  try {
    print(await read(file, bytes, values.connectors), values.json)
    return 0
  } catch (error) {
    if (!(error instanceof ContentError)) throw error
    if (values.json) printJson({ valid: false, issues: error.problems.map(toShown) })
    else tellError(error.message)
    return 1
  }
}

export const printJson = (report: object): void => console.log(JSON.stringify(report))

export const toShown = ({ place: { line, column }, path, message }: Problem) => ({
  line,
  column,
  path,
  message,
})
