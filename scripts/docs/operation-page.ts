import {
  type OperationEntry,
  type OperationObject,
  requestSchema,
  resolve,
  responseSchema,
} from '../contract/contract.ts'
import { consoleTag } from './console-tag.ts'
import { errorTable } from './error-table.ts'
import { escapeHtml } from './escape-html.ts'
import { answerExamples, requestExamples } from './example-list.ts'
import { fieldList } from './field-list.ts'
import { eachField, type Shape, shapeOf } from './fields.ts'
import { hasPart } from './has-part.ts'
import { headerList } from './header-list.ts'
import {
  endpoint,
  heading,
  inline,
  lead,
  linkTo,
  type Page,
  type SearchSection,
  staticHtml,
} from './html.ts'
import { operationProperties } from './operation-properties.ts'
import { operationPath, type Site, writtenIn } from './site.ts'

/** The page of one operation. */
export function operationPage(site: Site, entry: OperationEntry): Page {
  const { path, operation } = entry
  const { contract, links } = site
  const { operationId, summary, description } = operation
  const request = shapeOf(contract, requestSchema(operation), 'request')
  const response = shapeOf(contract, responseSchema(contract, operation), 'response')
  return {
    path: operationPath(site, operationId),
    source: `${writtenIn(site)}/paths/${operation.tags[0]}/${operationId}.yaml`,
    title: summary,
    description: `POST ${path}. ${firstSentence(description)}`,
    options: { pageClass: 'wide', aside: false, outline: 2 },
    parts: [
      staticHtml(
        heading(1, summary, operationId),
        endpoint(path),
        lead(inline(description, links)),
        operationProperties(site, operation),
        versionNote(site, operation),
        jumps,
        requestSection(site, entry, request),
      ),
      ...(hasPart('console') ? [{ template: tryIt(site, path, operation) }] : []),
      staticHtml(responseSection(site, operation, response), errorSection(site, operation)),
    ],
    // Fields that a sandbox endpoint returns are found on the page of the operation that returns them.
    sections: sections(
      path,
      operation,
      site.folder === 'sandbox' ? [request] : [request, response],
    ),
  }
}

const firstSentence = (text: string): string => {
  const [first = ''] = text.split(/(?<=\.)\s/)
  return first.trim().replaceAll('`', '')
}

const tryIt = (site: Site, path: string, operation: OperationObject): string =>
  `<div class="static">${heading(2, 'Try it', 'try-it')}</div>\n${consoleTag(site, path, operation)}`

const jumps = `<nav class="jumps" aria-label="Parts of this page">${[
  ['request', 'Request'],
  ...(hasPart('console') ? [['try-it', 'Try it']] : []),
  ['response', 'Response'],
  ['errors', 'Errors'],
]
  .map(([id, label]) => `<a href="#${id}">${label}</a>`)
  .join(' ')}</nav>`

/** Links the page of versions, which describes the differences of older versions. */
function versionNote({ differences }: Site, { operationId }: OperationObject): string {
  const older = [...differences].filter(([, all]) => {
    return all.some((difference) => difference.operationId === operationId)
  })
  if (older.length === 0) return ''
  const links = older.map(([version]) => linkTo(`versions/#${version}.${operationId}`, version))
  return `<p class="note">Differs in the older versions: ${links.join(', ')}.</p>`
}

function requestSection(site: Site, entry: OperationEntry, request: Shape): string {
  const { contract, links } = site
  const { parameters, requestBody } = entry.operation
  return section(
    [
      heading(2, 'Request', 'request'),
      heading(3, 'Request headers', 'request-headers'),
      headerList(contract, parameters ?? [], links, true),
      heading(3, 'Request body', 'request-body'),
      `<p>${inline(requestBody.description ?? '', links)}</p>`,
      fieldList(request, links, true),
    ],
    [heading(3, 'Request examples', 'request-examples'), requestExamples(site, entry)],
  )
}

function responseSection(
  { contract, links }: Site,
  operation: OperationObject,
  response: Shape,
): string {
  const { description, headers = {}, content } = resolve(contract, operation.responses['200']!)
  return section(
    [
      heading(2, 'Response', 'response'),
      `<p>Status 200. ${inline(description, links)}</p>`,
      heading(3, 'Response headers', 'response-headers'),
      headerList(contract, headers, links, false),
      heading(3, 'Response body', 'response-body'),
      fieldList(response, links, false),
    ],
    [
      heading(3, 'Response examples', 'response-examples'),
      answerExamples(contract, content, links),
    ],
  )
}

/** Text on the left, examples on the right; on narrow screens one below the other. */
export const section = (text: string[], examples: string[]): string =>
  `<section class="pair"><div class="told">\n${text.join('\n')}\n</div><div class="shown">\n${examples.join('\n')}\n</div></section>`

function errorSection(site: Site, operation: OperationObject): string {
  return [heading(2, 'Errors', 'errors'), errorTable(site, operation)].join('\n')
}

/** Fields of nearly every operation: the guides tell of them, and a list of them all helps nobody. */
const everywhere = new Set(['request.client_id', 'request.secret', 'response.request_id'])

/** Finds the operation by path, id and summary, and its fields by name. */
function sections(path: string, operation: OperationObject, bodies: Shape[]): SearchSection[] {
  const { operationId, summary, description } = operation
  const own = `${summary} · ${path}`
  return [
    { anchor: '', titles: [own], text: `${operationId} ${description}` },
    ...bodies
      .flatMap((body) => fieldSections(escapeHtml(own), body))
      .filter(({ anchor }) => !everywhere.has(anchor)),
  ]
}

/** Finds the fields of a body. */
export const fieldSections = (title: string, body: Shape): SearchSection[] =>
  eachField(body).map(({ path, shape }) => {
    return { anchor: path, titles: [title, path], text: shape.schema.description ?? '' }
  })
