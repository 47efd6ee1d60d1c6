import { type CatalogueEntry, readWholeCatalogue } from '../contract/catalogue.ts'
import {
  type Contract,
  currentVersion,
  eachOperation,
  eachWebhook,
  readBundle,
  sourceFolder,
  versions,
  type WebhookEntry,
  written,
} from '../contract/contract.ts'
import { isUndated, undated } from '../contract/undated.ts'
import type { Difference } from './compare-versions.ts'
import type { Links } from './html.ts'
import { type IdProducer, idProducers } from './id-sources.ts'
import { type Move, movesBetween } from './version-moves.ts'

/** What the pages are made of. */
export interface Site {
  contract: Contract
  /** Where the pages of its operations are, below `/docs/`. */
  folder: string
  catalogue: Record<string, CatalogueEntry>
  links: Links
  /** The answers that ids and tokens come from. */
  idProducers: Map<string, IdProducer[]>
  /** The ways from one version to a newer one. */
  moves: Move[]
  /** What each older version has differently from the current one, oldest first. */
  differences: Map<string, Difference[]>
}

let latest: Site | undefined

export function readSite(): Site {
  const contract = readBundle()
  const catalogue = readWholeCatalogue()
  const moves = movesBetween(versions)
  const toCurrent = moves.filter(({ to }) => to === currentVersion)
  latest = {
    contract,
    folder: 'operations',
    catalogue,
    links: linksTo(catalogue),
    idProducers: idProducers(
      written.map((name) => ({ contract: readBundle(name), folder: folderOf(name) })),
    ),
    moves,
    differences: new Map(toCurrent.map(({ from, differences }) => [from, differences])),
  }
  return latest
}

/** The site as it was read last: the pages and their navigation are made in one process. */
export const latestSite = (): Site => latest ?? readSite()

/** The documents without versions: their pages are like those of the operations. */
export const undatedSites = (site: Site): Site[] =>
  undated.map((folder) => ({
    ...site,
    contract: readBundle(folder),
    folder,
    moves: [],
    differences: new Map(),
  }))

/** The webhooks of all documents. */
export const everyWebhook = (): WebhookEntry[] =>
  written.flatMap((name) => eachWebhook(readBundle(name)))

/** Where the pages of a document's operations are, below `/docs/`. */
export const folderOf = (document: string): Site['folder'] =>
  isUndated(document) ? document : 'operations'

/** The folder that its document is written in. */
export const writtenIn = ({ folder }: Pick<Site, 'folder'>): string =>
  sourceFolder(folder === 'operations' ? currentVersion : folder)

export const operationPath = ({ folder }: Pick<Site, 'folder'>, operationId: string): string =>
  `${folder}/${operationId}/`
export const webhookPath = (name: string): string => `webhooks/${name}/`
export const errorPath = (key: string): string => `errors/${key}/`

/** The bare code of an error: what stands in the body, and behind `#` in `documentation_url`. */
export const codeOf = ({ value }: CatalogueEntry): string =>
  String(value['error_code'] ?? value['error'])

/** The type of an error; those of the token operations have none in the body. */
export const typeOf = ({ value }: CatalogueEntry): string => String(value['error_type'] ?? 'OAUTH')

/** The errors of each bare code; most codes stand for one. */
export const variantsOf = (catalogue: Site['catalogue']): Map<string, string[]> => {
  const groups = Map.groupBy(Object.entries(catalogue), ([, entry]) => codeOf(entry))
  return new Map([...groups].map(([code, entries]) => [code, entries.map(([key]) => key)]))
}

/** The code, with the status where two errors of one type share it. */
export function nameOf({ catalogue }: Pick<Site, 'catalogue'>, key: string): string {
  const entry = catalogue[key]
  if (!entry) throw new Error(`there is no error ${key} in the catalogue`)
  const code = codeOf(entry)
  const others = variantsOf(catalogue).get(code) ?? []
  const sameType = others.filter((other) => catalogue[other]?.value['error_type'] === typeOf(entry))
  return sameType.length > 1 ? `${code} (${entry['x-status']})` : code
}

/** Every name of the contract that has a page, with its address below `/docs/`. */
function linksTo(catalogue: Site['catalogue']): Links {
  const links = new Map<string, string>()
  for (const { name } of everyWebhook()) {
    const code = name.slice(name.indexOf('.') + 1)
    // The same code can stand under two types; then the list of all shows both.
    links.set(code, links.has(code) ? 'webhooks/' : webhookPath(name))
    links.set(name, webhookPath(name))
  }
  for (const [code, keys] of variantsOf(catalogue)) {
    links.set(code, keys.length === 1 ? errorPath(keys[0]!) : `errors/#${code}`)
    for (const key of keys) if (key !== code) links.set(key, errorPath(key))
  }
  for (const name of written) {
    for (const { path, operation } of eachOperation(readBundle(name))) {
      const page = operationPath({ folder: folderOf(name) }, operation.operationId)
      links.set(path, page)
      links.set(operation.operationId, page)
    }
  }
  return links
}

export const retryWords: Record<CatalogueEntry['x-retry'], string> = {
  later: 'Later: the same request can succeed once you have waited.',
  'after-action':
    'After an action: the same request can succeed once you or the user did something.',
  never: 'No: the same request fails again, so change it first.',
}

export const retryLabels: Record<CatalogueEntry['x-retry'], string> = {
  later: 'later',
  'after-action': 'after an action',
  never: 'no',
}
