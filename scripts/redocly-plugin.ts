// Rules of our own for `redocly lint`: what a review of the contract would otherwise say again and
// again. Each message appears with the file and line of the mistake.

interface Location {
  child(path: string[]): Location
  pointer: string
  absolutePointer: string
  source: { absoluteRef: string }
}

interface Context {
  report(problem: { message: string; location?: Location }): void
  location: Location
  resolve(node: unknown, from?: string): { node?: unknown; location?: Location }
}

type Node = Record<string, unknown>

const hasType = (schema: Node, type: string): boolean => [schema['type']].flat().includes(type)

function isBoundedString(schema: Node): boolean {
  if (!hasType(schema, 'string') || schema['enum']) return true
  // These formats admit strings of one length only.
  return ['date', 'ipv4'].includes(String(schema['format'])) || 'maxLength' in schema
}

/** A part of a rule between fields describes no field of its own. */
const inRule = (context: Context): boolean =>
  /\/(if|then|else|not|oneOf|anyOf)(\/|$)/.test(context.location.pointer)

/** What a request schema lacks to be bounded and closed. */
function missingLimits(schema: Node, file: string): string[] {
  const number = hasType(schema, 'number') || hasType(schema, 'integer')
  const object = hasType(schema, 'object') && 'properties' in schema
  // RFC 6749 lets the token operations ignore what they do not know; `x-open` says it of others.
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
function RequestLimits() {
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

/** Enum values have no stray blanks and no twins, and null is not one of them. */
function EnumValues() {
  return {
    Schema(schema: Node, context: Context) {
      const values = schema['enum']
      if (!Array.isArray(values)) return
      const location = context.location.child(['enum'])
      if (values.some((value) => typeof value === 'string' && value !== value.trim())) {
        context.report({ message: 'an enum value starts or ends with a blank', location })
      }
      if (new Set(values).size !== values.length) {
        context.report({ message: 'an enum value stands twice', location })
      }
      if (values.includes(null)) {
        context.report({ message: 'null stands beside an enum, by `anyOf`, not in it', location })
      }
    },
  }
}

/** Each property tells what it means and shows a value, itself or where its `$ref` points. */
function PropertyDocumented() {
  const told = (schema: Node, context: Context, keyword: string): boolean => {
    if (keyword in schema) return true
    if (!('$ref' in schema)) return false
    const target = context.resolve(schema).node as Node | undefined
    return target === undefined || told(target, context, keyword)
  }
  return {
    SchemaProperties(properties: Record<string, Node>, context: Context) {
      if (inRule(context)) return
      for (const [name, schema] of Object.entries(properties)) {
        const location = context.location.child([name])
        if (!told(schema, context, 'description')) {
          context.report({ message: `\`${name}\` needs a description`, location })
        }
        const items = schema['items'] as Node | undefined
        const shown =
          told(schema, context, 'examples') || (items && told(items, context, 'examples'))
        if (!shown) context.report({ message: `\`${name}\` needs \`examples\``, location })
      }
    },
  }
}

/** A pattern alone does not tell a caller what to send. */
function PatternExplained() {
  return {
    Schema(schema: Node, context: Context) {
      if (inRule(context) || !('pattern' in schema) || 'x-expected' in schema || 'enum' in schema)
        return
      const file = context.location.source.absoluteRef
      if (!/(Request|Input|Options)\.yaml$/.test(file)) return
      context.report({ message: '`pattern` needs `x-expected`, the words for its refusal' })
    },
  }
}

/** Names of examples say whose they are: the operation's, or the error's. */
function ExampleNames() {
  return {
    Operation(operation: Node, context: Context) {
      const id = operation['operationId']
      if (typeof id !== 'string') return
      const bodies = {
        ...((operation['requestBody'] as Node | undefined)?.['content'] as Node | undefined),
      }
      for (const [mediaType, media] of Object.entries(bodies)) {
        for (const name of Object.keys((media as Node)['examples'] ?? {})) {
          if (name.startsWith(`${id}Request`)) continue
          const location = context.location.child([
            'requestBody',
            'content',
            mediaType,
            'examples',
            name,
          ])
          context.report({ message: `the example's name must start with ${id}Request`, location })
        }
      }
    },
  }
}

const statuses = ['200', '400', '401', '413', '429', '500', '503', 'default']

/** Every operation describes the same set of answers. */
function OperationStatuses() {
  return {
    Paths: {
      Operation(operation: Node, context: Context) {
        const responses = Object.keys((operation['responses'] as Node | undefined) ?? {})
        const missing = statuses.filter((status) => !responses.includes(status))
        if (missing.length === 0) return
        const location = context.location.child(['responses'])
        context.report({ message: `answers are missing: ${missing.join(', ')}`, location })
      },
    },
  }
}

/** What is required is described; parts of rules speak of properties that stand elsewhere. */
function RequiredDefined() {
  return {
    Schema(schema: Node, context: Context) {
      if (inRule(context) || !Array.isArray(schema['required']) || !schema['properties']) return
      for (const [index, name] of schema['required'].entries()) {
        if (name in (schema['properties'] as Node)) continue
        const location = context.location.child(['required', String(index)])
        context.report({ message: `\`${name}\` is required, but no property`, location })
      }
    },
  }
}

/** Clients and the service derive retries and rate limits from the operation. */
function OperationExtensions() {
  return {
    Paths: {
      Operation(operation: Node, context: Context) {
        for (const name of ['operationId', 'x-retry-safe', 'x-rate-limits']) {
          if (!(name in operation)) context.report({ message: `\`${name}\` is missing` })
        }
      },
    },
  }
}

export default function contractPlugin() {
  return {
    id: 'contract',
    rules: {
      oas3: {
        'request-limits': RequestLimits,
        'enum-values': EnumValues,
        'property-documented': PropertyDocumented,
        'pattern-explained': PatternExplained,
        'example-names': ExampleNames,
        'operation-statuses': OperationStatuses,
        'required-defined': RequiredDefined,
        'operation-extensions': OperationExtensions,
      },
    },
  }
}
