import { builtInInstitutions } from '../institution-list/built-in.ts'
import { withLoaded } from '../institution-list/connectors.ts'
import type { ListedInstitution } from '../institution-list/listed-institution.ts'
import { loadConnectors, UnusableConnectors } from '../institution-list/load-connectors.ts'
import { type ReadInstitutions, readInstitutions } from '../institution-list/read-institutions.ts'
import { namesIn } from '../server/config/read-option.ts'
import { toLines } from '../yaml/problems.ts'
import { toTable } from './ask-operator.ts'
import { checkFile, printJson, toShown } from './check-file.ts'
import { type Command, program } from './command.ts'
import { tellError } from './tell-error.ts'
import { UsageError } from './usage-error.ts'

const help = `usage: ${program} institutions check FILE [options]

Checks a file of institutions, as \`serve --institutions FILE\` reads it, and prints what it lists.
Nothing is changed: SIGHUP makes a service read its file again. If a variable or a file that the list
names is missing on this machine, the command prints a note on standard error. The list is still valid.

  --connectors M  know the connectors of this module too (CONNECTORS, or none)
  --json          print { valid, institutions, built_in, issues, notes } instead of lines (off)
  --help          print this

exit code: 0 the file is valid, 1 it is not, 2 it could not be read

examples:
  ${program} institutions check institutions.yaml
  ${program} institutions check institutions.yaml --json`

/** Checks files of institutions. */
export const institutions: Command = {
  help,
  run: (args) =>
    checkFile(args, {
      hasConnectors: true,
      read: async (file, bytes, modules = process.env['CONNECTORS'] ?? '') =>
        readInstitutions(file, bytes, process.env, await connectorsOf(modules)),
      print: printList,
    }).finally(endSoon),
}

/** Ends the program, also where a module of connectors began something that would keep it alive. */
function endSoon(): void {
  setTimeout(() => process.exit(), 1000).unref()
}

async function connectorsOf(modules: string): Promise<ReturnType<typeof withLoaded>> {
  try {
    return withLoaded((await loadConnectors(namesIn(modules))).values())
  } catch (error) {
    if (error instanceof UnusableConnectors) throw new UsageError(error.message)
    throw error
  }
}

function printList({ institutions, builtIn, unresolved }: ReadInstitutions, json: boolean): void {
  if (json) {
    const shown = institutions.map(({ logo, ...rest }) => ({ ...rest, logo: logo !== undefined }))
    const notes = unresolved.map(toShown)
    printJson({ valid: true, institutions: shown, built_in: builtIn, issues: [], notes })
    return
  }
  const own = new Set(institutions.map(({ institution_id }) => institution_id))
  const others = builtIn ? builtInInstitutions.filter((one) => !own.has(one.institution_id)) : []
  console.log(toList(institutions))
  console.log(`valid: ${institutions.length} listed, and ${others.length} built-in`)
  for (const line of toLines(unresolved)) tellError(line)
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
