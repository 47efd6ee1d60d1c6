import { Buffer } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { InstitutionEntry } from '../../generated/institution-list/types.ts'
import { InstitutionList as schema } from '../../generated/institution-list/validators/institutions.js'
import { hasControls } from '../control-characters.ts'
import { ContentError } from '../yaml/content-error.ts'
import { decode } from '../yaml/decode.ts'
import type { Problem } from '../yaml/problems.ts'
import { readChecked, type ToProblem } from '../yaml/read-checked.ts'
import { type ConnectorFacts, necessaryProduct, ownConnectors } from './connectors.ts'
import type { InstitutionList, ListedInstitution } from './listed-institution.ts'
import { fromBase64, whyNoLogo } from './logo.ts'
import { resolveReferences, type Sources, withWholePaths } from './references.ts'

/** What a file says, and which of its references lead to nothing on this machine. */
export interface ReadInstitutions extends InstitutionList {
  unresolved: readonly Problem[]
}

const most = { bytes: 32 * 1024 * 1024, name: '32 MB' }

/**
 * Reads a file of institutions, with the logos that it names and what its references lead to.
 * @throws ContentError with every mistake
 */
export async function readInstitutions(
  file: string,
  bytes: Uint8Array,
  environment: Sources['environment'],
  connectors: ReadonlyMap<string, ConnectorFacts> = ownConnectors,
): Promise<ReadInstitutions> {
  const checked = readChecked(file, decode(file, bytes, most), schema)
  if (!checked.value) throw new ContentError(checked.problems)
  const { value, at } = checked
  const problems = findTwins(value.institutions, at)
  const unresolved: Problem[] = []
  const reading: Reading = {
    sources: { environment, folder: dirname(resolve(file)) },
    connectors,
    reject: (path, message) => problems.push(at(path, message)),
    leave: (path, message) => unresolved.push(at(path, message)),
  }
  const institutions: ListedInstitution[] = []
  for (const [index, entry] of value.institutions.entries()) {
    institutions.push(await complete(entry, `institutions[${index}]`, reading))
  }
  if (problems.length > 0) throw new ContentError(problems)
  return { institutions, builtIn: value.built_in ?? true, unresolved }
}

function findTwins(entries: readonly InstitutionEntry[], at: ToProblem): Problem[] {
  const first = new Map<string, number>()
  return entries.flatMap(({ institution_id }, index) => {
    const before = first.get(institution_id)
    if (before === undefined) first.set(institution_id, index)
    if (before === undefined) return []
    const { line } = at(`institutions[${before}].institution_id`, '').place
    return [at(`institutions[${index}].institution_id`, `stands in line ${line}, too`)]
  })
}

type Tell = (path: string, message: string) => unknown

interface Reading {
  sources: Sources
  connectors: ReadonlyMap<string, ConnectorFacts>
  reject: Tell
  /** Tells of a reference that leads to nothing. */
  leave: Tell
}

async function complete(
  entry: InstitutionEntry,
  path: string,
  reading: Reading,
): Promise<ListedInstitution> {
  const facts = reading.connectors.get(entry.connector)
  const { products = [...(facts?.products ?? [necessaryProduct])], settings = {} } = entry
  if (!facts) reading.reject(`${path}.connector`, unknownConnector(reading))
  if (!products.includes(necessaryProduct)) {
    reading.reject(`${path}.products`, `must name ${necessaryProduct}`)
  }
  if (hasControls(entry.name)) reading.reject(`${path}.name`, 'must have no control characters')
  await checkSettings(facts, settings, `${path}.settings`, reading)
  const { logo, ...others } = entry
  const image = logo === undefined ? undefined : await readLogo(logo, `${path}.logo`, reading)
  const whole = withWholePaths(settings, reading.sources.folder) as typeof settings
  return { ...others, products, settings: whole, ...(image === undefined ? {} : { logo: image }) }
}

const unknownConnector = ({ connectors }: Reading): string =>
  `must be one of: ${[...connectors.keys()].join(', ')} (--connectors loads others)`

async function checkSettings(
  facts: ConnectorFacts | undefined,
  settings: unknown,
  path: string,
  { sources, reject, leave }: Reading,
): Promise<void> {
  const { value, unresolved } = await resolveReferences(settings, sources)
  for (const [place, message] of unresolved) leave(`${path}.${place}`, message)
  // What they stand for is not known, so it cannot be held against the schema.
  if (unresolved.length > 0) return
  for (const [place, message] of facts?.issues(value) ?? []) {
    reject(place === '' ? path : `${path}.${place}`, message)
  }
  const zone = (value as { time_zone?: unknown }).time_zone
  if (typeof zone === 'string' && !isTimeZone(zone)) {
    reject(`${path}.time_zone`, 'must be a time zone such as America/New_York or UTC')
  }
}

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

async function readLogo(
  text: string,
  path: string,
  { sources, reject }: Reading,
): Promise<string | undefined> {
  const image = text.endsWith('.png') ? await readImage(text, sources) : fromBase64(text)
  const reason =
    image === undefined
      ? 'must be the path of a file that ends with .png, or a PNG image in Base64'
      : typeof image === 'string'
        ? image
        : whyNoLogo(image)
  if (reason !== undefined) reject(path, reason)
  return Buffer.isBuffer(image) ? image.toString('base64') : undefined
}

async function readImage(name: string, { folder }: Sources): Promise<Buffer | string> {
  try {
    return await readFile(resolve(folder, name))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return `names the file ${name}, which cannot be read (${code})`
  }
}
