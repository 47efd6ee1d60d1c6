import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { readStatements } from '../support/statements.ts'

// What the page about many processes says of keys and statements, compared with the sources.

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const page = read('src/docs/guides/14-many-processes.md')

/** The names in the first column of the table under a heading. */
function namesUnder(heading: string): string[] {
  const [, section = ''] = page.split(`### ${heading}\n`)
  const [table = ''] = section.split(/\n#/)
  const cells = table.match(/^\|[^|]*/gm) ?? []
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
}

const definitions = globSync('src/server/db/migrations/*.sql', { cwd: root })
  .map(read)
  .join('\n')
  .replaceAll(/--.*$/gm, '')
  .split(';')

/** The tables and indexes whose key begins with something else than the client. */
function otherKeys(): string[] {
  return definitions.flatMap((sql) => {
    const [, table = ''] = /create table (\w+)/.exec(sql) ?? []
    const keys = [...sql.matchAll(/^\s*(\w+) \w+.*\b(primary key|unique)\b/gm)].map(
      ([, column = '', kind]) => [column, kind === 'unique' ? `${table}.${column}` : table],
    )
    const [, composed] = /^\s*primary key \((\w+)/m.exec(sql) ?? []
    const [, index, first] = /create (?:unique )?index (\w+)\s+on \w+\s*\((\w+)/.exec(sql) ?? []
    if (composed) keys.push([composed, table])
    if (index && first) keys.push([first, index])
    return keys.flatMap(([column, name = '']) => (column === 'client_id' ? [] : [name]))
  })
}

const statements = readStatements()
/** What keeps a statement with one client: a value compared with it, or written. */
const namesClient = /client_id (=|in \(''),? \$\d|insert into \S+\s*\(\s*client_id\b/
// It puts `client_id` before the columns that it is given.
const composing = 'insertInto'

describe('rows of clients', () => {
  test('have keys that begin with the client, but for those that the page lists', () => {
    expect([...new Set(otherKeys())].sort()).toEqual(
      namesUnder('Keys that do not begin with `client_id`').sort(),
    )
  })

  test('are reached by statements that name it, but for those that the page lists', () => {
    const others = statements
      .filter(({ name, sql }) => name !== composing && !namesClient.test(sql))
      .map(({ name }) => name)
    const listed = namesUnder('Statements that name no client')
    expect([...new Set(others)].sort()).toEqual(listed.sort())
  })

  test('are written by statements of which some were found', () => {
    expect(statements.length).toBeGreaterThan(100)
  })
})

describe('which engine there is', () => {
  const sources = globSync('src/server/**/*.ts', { cwd: root }).filter(
    (file) => !file.startsWith('src/server/db/'),
  )
  const matching = (pattern: RegExp) => sources.filter((file) => pattern.test(read(file))).sort()

  test('is known where the service starts, and nowhere else', () => {
    const driver = /(from|import\() ?'\S*db\/(sqlite|postgres|lanes?|session)\.ts'/
    expect(matching(driver)).toEqual(['src/server/boot/open-database.ts'])
  })

  test('is asked for by no code but what reads the address and opens it', () => {
    const asking = /\b(if|===?|\?)[^\n]*(postgres|sqlite)\b/i
    expect(matching(asking)).toEqual([
      'src/server/boot/open-database.ts',
      'src/server/config/config.ts',
    ])
  })
})
