import type { Context, Node } from './shared.ts'

/** A part of a rule between fields describes no field of its own. */
const inRule = (context: Context): boolean =>
  /\/(if|then|else|not|oneOf|anyOf)(\/|$)/.test(context.location.pointer)

/** Enum values have no surrounding blanks and no duplicates, and null is not one of them. */
export function EnumValues() {
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
export function PropertyDocumented() {
  const has = (schema: Node, context: Context, keyword: string): boolean => {
    if (keyword in schema) return true
    if (!('$ref' in schema)) return false
    const target = context.resolve(schema).node as Node | undefined
    return target === undefined || has(target, context, keyword)
  }
  return {
    SchemaProperties(properties: Record<string, Node>, context: Context) {
      if (inRule(context)) return
      for (const [name, schema] of Object.entries(properties)) {
        const location = context.location.child([name])
        if (!has(schema, context, 'description')) {
          context.report({ message: `\`${name}\` needs a description`, location })
        }
        const items = schema['items'] as Node | undefined
        const shown = has(schema, context, 'examples') || (items && has(items, context, 'examples'))
        if (!shown) context.report({ message: `\`${name}\` needs \`examples\``, location })
      }
    },
  }
}

/** A pattern alone does not tell a caller what to send. */
export function PatternExplained() {
  return {
    Schema(schema: Node, context: Context) {
      if (inRule(context) || !('pattern' in schema) || 'x-expected' in schema || 'enum' in schema)
        return
      const file = context.location.source.absoluteRef
      if (!/(Request|Input|Options)\.yaml$/.test(file)) return
      context.report({ message: '`pattern` needs `x-expected`, the words for its error message' })
    },
  }
}

/** Required properties are described; parts of rules name properties of another schema. */
export function RequiredDefined() {
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
