import { builtInInstitutions } from '../institution-list/built-in.ts'
import { type ConnectorId, connectors } from '../institution-list/connectors.ts'
import { InstitutionsError } from '../institution-list/institutions-error.ts'
import type { ListedInstitution } from '../institution-list/listed-institution.ts'
import { type ReadInstitutions, readInstitutions } from '../institution-list/read-institutions.ts'
import { type Problem, toLines } from '../yaml/problems.ts'
import { toTable } from './ask-operator.ts'
import { type Command, type ExitCode, program } from './command.ts'
import { readInput } from './input.ts'
import { readOptions } from './options.ts'
import { tellError } from './tell-error.ts'
import { UsageError } from './usage-error.ts'

const help = `usage: ${program} institutions check FILE [options]

Checks a file of institutions, as \`serve --institutions FILE\` reads it, and prints what it lists.
Nothing is changed: SIGHUP makes a service read its file again. References to variables and files
that are not there on this machine are told on standard error, and do not make the file wrong.

  --json          print { valid, institutions, built_in, issues, notes } instead of lines (off)
  --help          print this

exit code: 0 the file is valid, 1 it is not, 2 it could not be read

examples:
  ${program} institutions check institutions.yaml
  ${program} institutions check institutions.yaml --json`

/** Checks files of institutions. */
export const institutions: Command = { help, run }

const options = { json: { type: 'boolean', default: false } } as const

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = readOptions(args, options)
  const [what, file, extra] = positionals
  if (what !== 'check') throw new UsageError('say what to do: check')
  if (file === undefined || extra !== undefined) throw new UsageError('name one file')
  const bytes = await readInput(file)
  try {
    const list = await readInstitutions(file, bytes, process.env)
    printList(list, values.json)
    return 0
  } catch (error) {
    if (!(error instanceof InstitutionsError)) throw error
    if (values.json) printJson({ valid: false, issues: error.problems.map(toShown) })
    else tellError(error.message)
    return 1
  }
}

const printJson = (report: object): void => console.log(JSON.stringify(report))

const toShown = ({ place: { line, column }, path, message }: Problem) => ({
  line,
  column,
  path,
  message,
})

function printList({ institutions, builtIn, unresolved }: ReadInstitutions, json: boolean): void {
  const notes = notesOf(institutions)
  if (json) {
    const shown = institutions.map(({ logo, ...rest }) => ({ ...rest, logo: logo !== undefined }))
    const told = [...unresolved.map(toShown), ...notes.map((message) => ({ message }))]
    printJson({ valid: true, institutions: shown, built_in: builtIn, issues: [], notes: told })
    return
  }
  const own = new Set(institutions.map(({ institution_id }) => institution_id))
  const others = builtIn ? builtInInstitutions.filter((one) => !own.has(one.institution_id)) : []
  console.log(toList(institutions))
  console.log(`valid: ${institutions.length} listed, and ${others.length} built-in`)
  for (const line of [...toLines(unresolved), ...notes]) tellError(line)
}

const toList = (institutions: readonly ListedInstitution[]): string =>
  toTable(
    ['INSTITUTION ID', 'NAME', 'COUNTRIES', 'PRODUCTS', 'CONNECTOR'],
    institutions.map((one) => [
      one.institution_id,
      one.name,
      one.country_codes.join(','),
      one.products.join(','),
      one.connector,
    ]),
  )

/** What an operator should know of the connectors that a list names. */
function notesOf(institutions: readonly ListedInstitution[]): string[] {
  const named = new Set(institutions.map(({ connector }) => connector))
  return Object.entries(connectors).flatMap(([connector, { lack }]) =>
    lack !== undefined && named.has(connector as ConnectorId) ? [`${connector}: ${lack}`] : [],
  )
}
