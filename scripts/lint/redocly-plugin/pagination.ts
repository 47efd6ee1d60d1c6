import { type Context, isObject, type Node } from './shared.ts'

const inRequest = ['request', 'limit']

/** A schema, and the file that its references start from. */
interface Place {
  schema: Node
  file: string
}

/** A schema with everything that it refers to and is composed of. */
function layers({ schema, file }: Place, context: Context): Place[] {
  const composed = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => schema[keyword] ?? []) as Node[]
  const inner = composed.map((part) => ({ schema: part, file }))
  if ('$ref' in schema) {
    const { node, location } = context.resolve(schema, file)
    if (isObject(node) && location) inner.push({ schema: node, file: location.source.absoluteRef })
  }
  return [{ schema, file }, ...inner.flatMap((place) => layers(place, context))]
}

/** The schema of a property, or of an array's items. */
function step(from: Place, keyword: 'items' | string[], context: Context): Place | undefined {
  for (const { schema, file } of layers(from, context)) {
    const found = Array.isArray(keyword)
      ? (schema['properties'] as Node | undefined)?.[keyword[0]!]
      : schema[keyword]
    if (isObject(found)) return { schema: found, file }
  }
  return undefined
}

/** Where a path such as `options.offset` leads. */
const follow = (from: Place | undefined, path: unknown, context: Context): Place | undefined =>
  String(path)
    .split('.')
    .reduce((place, name) => place && step(place, [name], context), from as Place | undefined)

function bodySchema(holder: unknown, context: Context): Place | undefined {
  const file = context.location.source.absoluteRef
  const { node, location } = context.resolve(holder, file)
  const content = isObject(node) ? (node['content'] as Record<string, Node> | undefined) : undefined
  const schema = content?.['application/json']?.['schema']
  return isObject(schema) ? { schema, file: location?.source.absoluteRef ?? file } : undefined
}

/** The client turns pages by these paths, so each must lead to a field. */
export function Pagination() {
  return {
    Operation(operation: Node, context: Context) {
      const pagination = operation['x-pagination'] as Record<string, unknown> | undefined
      if (!isObject(pagination)) return
      const { style, items, ...paths } = pagination
      const request = bodySchema(operation['requestBody'], context)
      const response = bodySchema((operation['responses'] as Node | undefined)?.['200'], context)
      // The style `after_id` continues after the last entry: `response` names a field of an entry.
      const list = follow(response, [items].flat()[0], context)
      const last = style === 'after_id' ? list && step(list, 'items', context) : response
      for (const [name, path] of Object.entries({ items, ...paths }).flatMap(withEach)) {
        const body = inRequest.includes(name) ? request : name === 'response' ? last : response
        if (follow(body, path, context)) continue
        const location = context.location.child(['x-pagination', name])
        const which = body === request ? 'request' : 'response'
        context.report({ message: `the ${which} has no field ${path}`, location })
      }
    },
  }
}

const withEach = ([name, value]: [string, unknown]): [string, unknown][] =>
  [value ?? []].flat().map((path) => [name, path])
