import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CountryCode } from '#contract/enums.ts'
import { checkConnector, type Mistake } from '../connector/check-connector.ts'
import type { Connector } from '../connector/connector.ts'
import { builtInInstitutions } from './built-in.ts'
import { ownConnectors } from './connectors.ts'

/** A module of connectors that cannot be used. The message has a line for each mistake. */
export class UnusableConnectors extends Error {
  override readonly name = 'UnusableConnectors'
}

/**
 * Loads the connectors of modules. A module has a path or the name of a package.
 * @throws UnusableConnectors with every mistake of a module
 */
export async function loadConnectors(
  modules: readonly string[],
  mostMs = usualMostMs,
): Promise<ReadonlyMap<string, Connector>> {
  const loaded = new Map<string, Connector>()
  const from = new Map<string, string>([...ownConnectors.keys()].map((id) => [id, 'the service']))
  const lists = new Map<string, string>(
    builtInInstitutions.map(({ institution_id }) => [institution_id, 'the service']),
  )
  for (const name of modules) {
    for (const connector of connectorsOf(name, await load(name, mostMs))) {
      const { id } = connector
      noteInstitutions(lists, name, connector)
      const other = from.get(id)
      if (other !== undefined) {
        throw new UnusableConnectors(`${name}: the id ${id} is taken by a connector of ${other}`)
      }
      from.set(id, name)
      loaded.set(id, connector)
    }
  }
  return loaded
}

/** One of two institutions with the same id would replace the other one. */
function noteInstitutions(
  lists: Map<string, string>,
  name: string,
  { id, institutions = [] }: Connector,
): void {
  for (const { institution_id } of institutions) {
    const other = lists.get(institution_id)
    if (other !== undefined) {
      throw new UnusableConnectors(
        `${name}: the institution ${institution_id} of the connector ${id} is listed by ${other} too`,
      )
    }
    lists.set(institution_id, `the connector ${id} of ${name}`)
  }
}

/** How long the top level of a module may take. */
const usualMostMs = 10_000

async function load(name: string, mostMs: number): Promise<Readonly<Record<string, unknown>>> {
  const address = addressOf(name)
  const { promise: late, reject } = Promise.withResolvers<never>()
  // It keeps the process alive, too: Node would end without a word where nothing else can happen.
  const timer = setTimeout(() => {
    const seconds = mostMs / 1000
    reject(new UnusableConnectors(`${name}: the module is not loaded after ${seconds} seconds`))
  }, mostMs)
  // A supervisor would take the exit code 0 for an end that was planned.
  const onExit = () => {
    process.exitCode = 1
    console.error(`${name}: the module ended the process while it was loaded`)
  }
  process.once('exit', onExit)
  try {
    return await Promise.race([import(address), late])
  } catch (error) {
    if (error instanceof UnusableConnectors) throw error
    throw new UnusableConnectors(`${name}: the module cannot be loaded: ${firstLineOf(error)}`)
  } finally {
    clearTimeout(timer)
    process.off('exit', onExit)
  }
}

const isPath = (name: string): boolean =>
  /^(?:\.{0,2}[/\\]|[A-Za-z]:[/\\])|\.[cm]?[jt]s$/.test(name)

function addressOf(name: string): string {
  if (name.startsWith('file:')) return name
  if (isPath(name)) {
    const path = resolve(name)
    if (existsSync(path)) return pathToFileURL(path).href
    throw new UnusableConnectors(`${name}: there is no such file`)
  }
  return fromFolder(name) ?? fromHere(name)
}

/** A package that is installed where the service was started. */
function fromFolder(name: string): string | undefined {
  try {
    return pathToFileURL(createRequire(join(resolve('.'), 'none.js')).resolve(name)).href
  } catch {
    return undefined
  }
}

/** A package that is installed beside the service. */
function fromHere(name: string): string {
  try {
    return import.meta.resolve(name)
  } catch {
    throw new UnusableConnectors(
      `${name}: there is no package of this name; the path of a file begins with ./`,
    )
  }
}

const firstLineOf = (error: unknown): string =>
  error instanceof Error
    ? (`${error.name}: ${error.message}`.split('\n')[0] ?? error.name)
    : `it threw a value of type ${typeof error}`

/** Answers of the API name no other countries. */
const unknownCountries = ({ institutions = [] }: Connector): Mistake[] =>
  institutions.flatMap(({ country_codes }, index) => {
    const isKnown = country_codes.every((code) => (CountryCode as readonly string[]).includes(code))
    const path = `institutions[${index}].country_codes`
    return isKnown ? [] : [{ path, expected: `a list of: ${CountryCode.join(', ')}` }]
  })

const exportForm =
  'must export a connector as its default export, or a list of connectors as `connectors`'

function connectorsOf(name: string, module: Readonly<Record<string, unknown>>): Connector[] {
  const { connectors, default: main } = module
  const found = connectors ?? main
  if (found === undefined) throw new UnusableConnectors(`${name}: the module ${exportForm}`)
  const isList = Array.isArray(found)
  const values: readonly unknown[] = isList ? found : [found]
  if (values.length === 0) throw new UnusableConnectors(`${name}: the list of connectors is empty`)
  const export_ = connectors === undefined ? 'default' : 'connectors'
  const mistakes = values.flatMap((value, index) => {
    const at = isList ? `${export_}[${index}]` : export_
    const shape = checkConnector(value)
    const wrong = shape.length > 0 ? shape : unknownCountries(value as Connector)
    return wrong.map(({ path, expected }) => {
      return `${name}: ${path === '' ? at : `${at}.${path}`} must be ${expected}`
    })
  })
  if (mistakes.length > 0) throw new UnusableConnectors(mistakes.join('\n'))
  return values as Connector[]
}
