import type { Context, Location, Node } from './shared.ts'

const hasType = (schema: Node, type: string): boolean => [schema['type']].flat().includes(type)

function isBoundedString(schema: Node): boolean {
  if (!hasType(schema, 'string') || schema['enum'] || schema['x-versions'] || schema['x-webhooks'])
    return true
  // These formats admit strings of one length only.
  return ['date', 'ipv4'].includes(String(schema['format'])) || 'maxLength' in schema
}

/** What a request schema lacks to be bounded and closed. */
function missingLimits(schema: Node, file: string): string[] {
  const number = hasType(schema, 'number') || hasType(schema, 'integer')
  const object = hasType(schema, 'object') && 'properties' in schema
  // RFC 6749 lets the token operations ignore what they do not know; `x-open` allows it for others.
  const open = file.includes('/schemas/tokens/') || schema['x-open'] === true
  const mayBeOpen = open || 'additionalProperties' in schema
  return [
    isBoundedString(schema) ? '' : '`maxLength`, `enum`, or a format of fixed length',
    number && !('minimum' in schema && 'maximum' in schema) ? '`minimum` and `maximum`' : '',
    hasType(schema, 'array') && !('maxItems' in schema) ? '`maxItems`' : '',
    object && !mayBeOpen && !OPEN_INPUTS.test(file) ? '`additionalProperties: false`' : '',
  ].filter(Boolean)
}

// The contents of fraud events are the caller's own.
const OPEN_INPUTS = /\/schemas\/protect\/ProtectEvent\w*Input\.yaml$/

/** Everything that a request can carry has a limit, and nothing unknown is let in. */
export function RequestLimits() {
  const seen = new Set<string>()
  const visit = (node: Node, location: Location, context: Context): void => {
    if ('$ref' in node) {
      const target = context.resolve(node, location.source.absoluteRef)
      if (target.location) visit(target.node as Node, target.location, context)
      return
    }
    if (seen.has(location.absolutePointer)) return
    seen.add(location.absolutePointer)
    for (const limit of missingLimits(node, location.source.absoluteRef)) {
      context.report({ message: `a request schema needs ${limit}`, location })
    }
    for (const [path, part] of parts(node)) visit(part, location.child(path), context)
  }
  return {
    Operation(operation: Node, context: Context) {
      // A webhook, which has no operationId, is sent by the service.
      if (!('operationId' in operation)) return
      const body = operation['requestBody'] as { content?: Record<string, Node> } | undefined
      for (const [mediaType, media] of Object.entries(body?.content ?? {})) {
        const path = ['requestBody', 'content', mediaType, 'schema']
        visit((media['schema'] ?? {}) as Node, context.location.child(path), context)
      }
    },
  }
}

/** The schemas of values inside a value; rules between fields are left out. */
function parts(schema: Node): [path: string[], part: Node][] {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Node>)
  const lists = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) =>
    ((schema[keyword] ?? []) as Node[])
      .map((part, index): [string[], Node] => [[keyword, String(index)], part])
      .filter(([, part]) => '$ref' in part || 'type' in part),
  )
  const single = ['items', 'additionalProperties'].flatMap((keyword): [string[], Node][] =>
    typeof schema[keyword] === 'object' ? [[[keyword], schema[keyword] as Node]] : [],
  )
  return [
    ...properties.map(([name, part]): [string[], Node] => [['properties', name], part]),
    ...lists,
    ...single,
  ]
}
