import { drop, type Edit, edit, type Node, put } from './edit.ts'

/** What can be broken in what stands around the bodies: answers, errors, credentials, promises. */
export function operationEdits(operation: Node): Edit[] {
  const responses = operation['responses'] as Record<string, unknown>
  const limits = (operation['x-rate-limits'] ?? {}) as Record<string, Node>
  const pages = operation['x-pagination'] as Node | undefined
  return [
    ...Object.keys(responses).map((status) =>
      edit('response dropped', status, (node) => void delete (node['responses'] as Node)[status]),
    ),
    ...('x-retry-safe' in operation
      ? [edit('promise changed', 'x-retry-safe', put('x-retry-safe', !operation['x-retry-safe']))]
      : []),
    ...(operation['x-bearer-replaces']
      ? [edit('promise dropped', 'x-bearer-replaces', drop('x-bearer-replaces'))]
      : []),
    ...(pages
      ? [edit('promise dropped', 'x-pagination', drop('x-pagination')), ...ofPages(pages)]
      : []),
    ...Object.entries(limits).flatMap(([environment, limit]) => ofRates(environment, limit)),
    ...ofBody(operation),
    ...ofSecurity(operation),
  ]
}

const ofPages = (pages: Node): Edit[] =>
  Object.keys(pages).map((name) =>
    edit('promise changed', `x-pagination ${name}`, (node) => {
      ;(node['x-pagination'] as Node)[name] = 'something_else'
    }),
  )

function ofRates(environment: string, limit: Node): Edit[] {
  const at = (node: Node) => (node['x-rate-limits'] as Record<string, Node>)[environment] as Node
  return Object.entries(limit).flatMap(([name, value]) => {
    const about = `${environment} ${name}`
    const dropped = edit('rate dropped', about, (node) => void delete at(node)[name])
    if (typeof value !== 'number') return [dropped]
    return [
      dropped,
      edit('rate changed', about, (node) => {
        at(node)[name] = value + 1
      }),
    ]
  })
}

function ofBody(operation: Node): Edit[] {
  const { content } = operation['requestBody'] as { content: Node }
  const at = (node: Node) => (node['requestBody'] as { content: Node }).content
  if (Object.keys(content).length < 2) return []
  return Object.keys(content)
    .filter((media) => media !== 'application/json')
    .map((media) => edit('media type dropped', media, (node) => void delete at(node)[media]))
}

/** Of an operation, or of the document. */
export function ofSecurity(owner: Node): Edit[] {
  const security = owner['security'] as unknown[] | undefined
  return (security ?? []).map((_, index) =>
    edit('security dropped', index, (node) => {
      node['security'] = (node['security'] as unknown[]).toSpliced(index, 1)
    }),
  )
}

/** Of an answer: an error that it lists, a header that it has. */
export function responseEdits(response: Node, isErrorAnswer: boolean): Edit[] {
  const content = response['content'] as Record<string, { examples?: Node }> | undefined
  const examples = content?.['application/json']?.examples ?? {}
  const at = (node: Node) =>
    (node['content'] as Record<string, { examples: Node }>)['application/json']!.examples
  return [
    // Those of success are texts.
    ...(isErrorAnswer ? Object.keys(examples) : []).map((name) =>
      edit('error dropped', name, (node) => void delete at(node)[name]),
    ),
    ...Object.keys((response['headers'] ?? {}) as Node).map((name) =>
      edit('header dropped', name, (node) => void delete (node['headers'] as Node)[name]),
    ),
  ]
}

/** Of an entry of the error catalogue. */
export function errorEdits(entry: Node): Edit[] {
  const value = entry['value'] as Node | undefined
  return ['error_type', 'error_code', 'error']
    .filter((name) => typeof value?.[name] === 'string')
    .map((name) =>
      edit('error changed', name, (node) => {
        ;(node['value'] as Node)[name] = 'SOMETHING_ELSE'
      }),
    )
}

/** Of a header or parameter, a security scheme. */
export const nameEdits = (owner: Node): Edit[] => [
  ...(typeof owner['name'] === 'string'
    ? [edit('name changed', owner['name'], put('name', 'X-Else'))]
    : []),
  ...(typeof owner['scheme'] === 'string'
    ? [edit('scheme changed', owner['scheme'], put('scheme', 'digest'))]
    : []),
  ...(typeof owner['required'] === 'boolean'
    ? [edit('required changed', owner['name'], put('required', !owner['required']))]
    : []),
]
