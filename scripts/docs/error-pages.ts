import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { CatalogueEntry } from '../contract/catalogue.ts'
import { eachOperation, root } from '../contract/contract.ts'
import { numberedErrorsOf } from '../contract/error-keys.ts'
import { describeUndated, isUndated, sandbox, undated } from '../contract/undated.ts'
import { curlCommand } from './curl.ts'
import { errorRow, tableOfErrors } from './error-table.ts'
import { escapeHtml } from './escape-html.ts'
import { codeBlock, jsonBlock } from './highlight.ts'
import {
  breakable,
  heading,
  inline,
  lead,
  linkTo,
  list,
  type Page,
  properties,
  staticHtml,
} from './html.ts'
import { operationList } from './index-pages.ts'
import {
  codeOf,
  errorPath,
  nameOf,
  retryWords,
  type Site,
  typeOf,
  undatedSites,
  variantsOf,
  writtenIn,
} from './site.ts'

/** The list of all errors, and a page for each. */
export function errorPages(site: Site): Page[] {
  const sites = [site, ...undatedSites(site)]
  return [errorIndex(site), ...Object.keys(site.catalogue).map((key) => errorPage(sites, key))]
}

/** `documentation_url` leads to `#<code>` here, so every code has its anchor on this page. */
function errorIndex(site: Site): Page {
  const types = errorTypes(site)
  const sections = [...types].flatMap(([type, keys]) => [
    heading(2, type, `type-${type}`),
    hasType(site, keys) ? '' : '<p>The body of these has no <code>error_type</code>.</p>',
    tableOfErrors(keys.map((key) => errorRow(site, key, anchorOf(site, key)))),
  ])
  return {
    path: 'errors/',
    title: 'Errors',
    description: 'Every error code, its meaning, and whether trying again helps.',
    options: { outline: 2 },
    parts: [
      staticHtml(
        heading(1, 'Errors', 'errors'),
        lead(
          `All ${Object.keys(site.catalogue).length} errors by their <code>error_type</code>. Each has a page that says what to do. “Repeat?” says whether the same request can succeed later.`,
        ),
        ...sections,
        ...sharedCodes(site),
      ),
    ],
    sections: [{ anchor: '', titles: ['Errors'], text: 'error codes error_type error_code' }],
  }
}

export const errorTypes = ({ catalogue }: Site): Map<string, string[]> => {
  const groups = Map.groupBy(Object.keys(catalogue), (key) => typeOf(catalogue[key]!))
  return new Map([...groups].sort(([left], [right]) => left.localeCompare(right)))
}

const hasType = ({ catalogue }: Site, [key = '']: string[]): boolean =>
  catalogue[key]?.value['error_type'] !== undefined

/** A code of several errors leads to the list of them; its rows are found by their keys. */
function anchorOf({ catalogue }: Site, key: string): string {
  const code = codeOf(catalogue[key]!)
  return variantsOf(catalogue).get(code)!.length === 1 ? code : key
}

function sharedCodes(site: Site): string[] {
  const shared = [...variantsOf(site.catalogue)].filter(([, keys]) => keys.length > 1)
  if (shared.length === 0) return []
  return [
    heading(2, 'Codes with several meanings', 'shared-codes'),
    '<p>If you get one of these codes, check its type and status too.</p>',
    ...shared.map(([code, keys]) => sharedCode(site, code, keys)),
  ]
}

const sharedCode = (site: Site, code: string, keys: string[]): string =>
  `${heading(3, code, code)}\n${variantList(site, keys)}`

function variantList({ catalogue, links }: Site, keys: string[]): string {
  const items = keys.map((key) => {
    const entry = catalogue[key]!
    const name = `${typeOf(entry)}, status ${entry['x-status']}`
    return `${linkTo(errorPath(key), breakable(name))}: ${inline(entry.summary, links)}`
  })
  return list(items)
}

/** The file of an error; one document has it. */
const sourceOf = (sites: Site[], key: string): string =>
  sites
    .map((site) => `${writtenIn(site)}/errors/${key}.yaml`)
    .find((file) => existsSync(join(root, file)))!

/** The page of one error, with the operations and sandbox endpoints that return it. */
function errorPage(sites: Site[], key: string): Page {
  const [site] = sites as [Site]
  const { links } = site
  const entry = site.catalogue[key]!
  const code = codeOf(entry)
  return {
    path: errorPath(key),
    source: sourceOf(sites, key),
    title: code,
    description: entry.summary,
    options: { outline: 2, pageClass: 'compact' },
    parts: [
      staticHtml(
        `<h1 id="${key}" class="code-title">${breakable(code)}</h1>`,
        lead(`${inline(entry.summary, links)}.`),
        properties([
          ['Type', `<code>${typeOf(entry)}</code>`],
          ['Status', String(entry['x-status'])],
          ['Repeating', retryWords[entry['x-retry']]],
        ]),
        heading(2, 'What happened', 'meaning'),
        `<p>${inline(entry.description, links)}</p>`,
        heading(2, 'What to do', 'action'),
        `<p>${inline(entry['x-action'], links)}</p>`,
        heading(2, 'Body', 'body'),
        jsonBlock(entry.value),
        replay(sites, entry),
        heading(2, 'Operations', 'operations'),
        operations(sites, key, entry),
        variants(site, key, code),
      ),
    ],
    sections: [
      {
        anchor: '',
        titles: [nameOf(site, key)],
        text: `${key} ${entry.summary} ${entry.description}`,
      },
    ],
  }
}

interface Call {
  operationId?: string
  path?: string
  method?: string
  headers?: Record<string, string | null>
  body?: unknown
  raw?: string
}

interface Replay extends Call {
  setup?: Record<string, unknown>[]
  repeat?: number
}

/** Requests that yield the error, where the catalogue has some that fit a page. */
function replay(sites: Site[], entry: CatalogueEntry): string {
  const written = entry['x-replay'] as Replay | undefined
  if (!written || written.repeat) return ''
  const { setup = [], ...last } = written
  const before = setup.flatMap((step) =>
    Object.entries(step).map(([operationId, body]): Call => ({ operationId, body })),
  )
  const commands = [...before, last].map((call) => commandOf(sites, call))
  const text = commands.join('\n\n')
  return [
    heading(2, 'Reproduce it', 'replay'),
    `<p>${sentence(before.length, text)}</p>`,
    codeBlock(text, 'sh'),
  ].join('\n')
}

function sentence(before: number, text: string): string {
  const where = undated.includes(sandbox) ? 'In a fresh sandbox ' : 'On a fresh service '
  if (before === 0) return `${where}this request gets the error:`
  const names = new Set([...text.matchAll(/\{([a-z_]+)\}/g)].map(([place]) => place))
  const places = [...names].map((place) => `<code>${escapeHtml(place)}</code>`).join(', ')
  const fill = places ? ` Replace ${places} with the values of earlier answers.` : ''
  return `${where}the last of these requests gets the error.${fill}`
}

function commandOf(
  sites: Site[],
  { operationId, path, method, headers = {}, body, raw }: Call,
): string {
  const all = sites.flatMap(({ contract }) => eachOperation(contract))
  const found = all.find(({ operation }) => operation.operationId === operationId)
  return curlCommand(sites[0]!.contract, {
    path: path ?? found?.path ?? '/',
    headers,
    body,
    ...(method === undefined ? {} : { method }),
    ...(raw === undefined ? {} : { raw }),
  })
}

function operations(sites: Site[], key: string, entry: CatalogueEntry): string {
  if (entry['x-unreachable']) {
    return `<p>No request leads to this error today. ${inline(entry['x-unreachable'], sites[0]!.links)}</p>`
  }
  const lists = sites.map((site) => returning(site, key)).filter(Boolean)
  return lists.length > 0 ? lists.join('\n') : '<p>This error does not depend on the operation.</p>'
}

/** The operations that list the error; those without versions are listed only if not all of them do. */
function returning(site: Site, key: string): string {
  const all = eachOperation(site.contract)
  const found = all.filter(({ operation }) =>
    numberedErrorsOf(site.contract, operation).some(([, keys]) => keys.includes(key)),
  )
  if (found.length === 0) return ''
  const nouns = isUndated(site.folder)
    ? `operations of ${linkTo(`${site.folder}/`, describeUndated(site.folder).title)}`
    : 'operations'
  const whole = found.length === all.length
  if (whole && isUndated(site.folder)) return `<p>All ${all.length} ${nouns} return it.</p>`
  const words = whole
    ? `All ${all.length} ${nouns} return it`
    : `Returned by ${found.length} of ${all.length} ${nouns}`
  return `<p>${words}:</p>\n${operationList(site, found)}`
}

function variants(site: Site, key: string, code: string): string {
  const others = variantsOf(site.catalogue)
    .get(code)!
    .filter((other) => other !== key)
  if (others.length === 0) return ''
  return `${heading(2, 'The same code elsewhere', 'variants')}\n${variantList(site, others)}`
}
