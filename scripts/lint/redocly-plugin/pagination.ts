import { type Context, isObject, type Node } from './shared.ts'

const styles = ['cursor', 'offset', 'after_id']
const inRequest = ['request', 'limit']
const inResponse = ['response', 'total', 'has_more', 'items']

/** A schema, and the file that its references start from. */
interface Place {
  schema: Node
  file: string
}

/** A schema with all that it refers to and is composed of. */
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
const follow = (from: Place | undefined, path: string, context: Context): Place | undefined =>
  path
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
      const pagination = operation['x-pagination']
      if (pagination === undefined) return
      const top = context.location.child(['x-pagination'])
      if (!isObject(pagination) || !styles.includes(pagination['style'] as string)) {
        context.report({ message: `\`style\` must be ${styles.join(' or ')}`, location: top })
        return
      }
      const request = bodySchema(operation['requestBody'], context)
      const response = bodySchema((operation['responses'] as Node | undefined)?.['200'], context)
      // This style goes on after the last entry, so `response` names a field of the entries.
      const list = follow(response, String([pagination['items']].flat()[0]), context)
      const last =
        pagination['style'] === 'after_id' ? list && step(list, 'items', context) : response
      for (const [name, value] of Object.entries(pagination)) {
        if (name === 'style') continue
        const location = top.child([name])
        if (![...inRequest, ...inResponse].includes(name)) {
          context.report({ message: `\`${name}\` is no part of \`x-pagination\``, location })
          continue
        }
        const body = inRequest.includes(name) ? request : name === 'response' ? last : response
        for (const path of [value].flat()) {
          if (typeof path === 'string' && follow(body, path, context)) continue
          const place = body === request ? 'request' : 'response'
          context.report({ message: `the ${place} has no field ${path}`, location })
        }
      }
    },
  }
}
