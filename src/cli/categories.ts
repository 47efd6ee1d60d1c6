import { type ListedCategory, readCategories } from '../category-list/read-categories.ts'
import { toTable } from './ask-operator.ts'
import { checkFile, printJson } from './check-file.ts'
import { type Command, program } from './command.ts'

const help = `usage: ${program} categories check FILE [options]

Checks a file of categories, as \`serve --categories FILE\` reads it, and prints its entries.
Nothing is changed: SIGHUP makes a service read its file again.

  --json          print { valid, categories, issues } instead of lines (off)
  --help          print this

exit code: 0 the file is valid, 1 it is not, 2 it could not be read

examples:
  ${program} categories check categories.yaml
  ${program} categories check categories.yaml --json`

/** Checks files of categories. */
export const categories: Command = {
  help,
  run: (args) => checkFile(args, { read: readCategories, print }),
}

function print(list: readonly ListedCategory[], json: boolean): void {
  if (json) printJson({ valid: true, categories: list, issues: [] })
  else console.log(`${toList(list)}\nvalid: ${list.length} listed`)
}

const toList = (list: readonly ListedCategory[]): string =>
  toTable(
    ['CATEGORY', 'DIRECTION', 'WORDS'],
    list.map(({ category, direction = 'both', words }) => [category, direction, words.join(', ')]),
  )
