import type { Schema } from '../../../../scripts/contract/contract.ts'

import { drop, type Edit, edit, type Node, put, without } from './edit.ts'

/** Everything that can be broken in a schema, by itself; its parts are places of their own. */
export function schemaEdits(schema: Schema, inRule: boolean): Edit[] {
  return [
    ...ofFields(schema, inRule),
    ...ofValues(schema, inRule),
    ...ofLimits(schema),
    ...ofTypes(schema),
    ...ofTexts(schema),
    ...ofRules(schema),
    ...ofWords(schema),
  ]
}

function ofFields({ required = [], properties = {} }: Schema, inRule: boolean): Edit[] {
  const dropped = required.map((name) =>
    edit('required dropped', name, (node) => {
      node['required'] = without(node['required'], name)
    }),
  )
  if (inRule) return dropped
  const names = Object.keys(properties)
  const added = names
    .filter((name) => !required.includes(name))
    .map((name) =>
      edit('required added', name, (node) => {
        node['required'] = [...((node['required'] ?? []) as string[]), name]
      }),
    )
  const gone = names.map((name) =>
    edit('property dropped', name, (node) => {
      delete (node['properties'] as Node)[name]
      if (node['required']) node['required'] = without(node['required'], name)
    }),
  )
  return [...dropped, ...added, ...gone]
}

function ofValues(schema: Schema, inRule: boolean): Edit[] {
  const values = schema.enum
  if (!values) return []
  const set = (kind: string, about: unknown, list: unknown[]) =>
    edit(kind, about, put('enum', list))
  const [first] = values
  const other = typeof first === 'string' ? 'NO_SUCH_VALUE' : 4711
  const dropped = values.length > 1 ? values : []
  return [
    ...dropped.map((value) => set('value dropped', value, without(values, value))),
    // A condition on a value that the field cannot have changes nothing.
    ...(inRule ? [] : [set('value added', other, [...values, other])]),
    ...(values.length === 1 ? [set('constant changed', first, [other])] : []),
  ]
}

const limits = /^(min|max)(imum|Length|Items|Properties)$/

function ofLimits(schema: Schema): Edit[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (!limits.test(keyword) || typeof value !== 'number') return []
    const step = keyword.startsWith('max') ? 1 : -1
    const isSense = keyword.endsWith('imum') || value - step >= 0
    const isLooser = keyword.endsWith('imum') || value + step >= 0
    return [
      edit('limit dropped', keyword, drop(keyword)),
      ...(isLooser ? [edit('limit loosened', keyword, put(keyword, value + step))] : []),
      ...(isSense ? [edit('limit tightened', keyword, put(keyword, value - step))] : []),
    ]
  })
}

const otherTypes: Record<string, string> = {
  string: 'integer',
  integer: 'string',
  number: 'string',
  boolean: 'string',
  array: 'object',
  object: 'array',
}

const isNull = (part: unknown): boolean => (part as Schema).type === 'null'

function ofTypes({ type, anyOf, enum: values }: Schema): Edit[] {
  const list = anyOf?.some(isNull)
    ? [
        edit(
          'null rejected',
          'anyOf',
          put(
            'anyOf',
            anyOf.filter((part) => !isNull(part)),
          ),
        ),
      ]
    : []
  if (type === undefined || type === 'null') return list
  const types = [type].flat()
  const plain = types.filter((name) => name !== 'null')
  const nullable = plain.length < types.length
  const changed = plain.map((name) => {
    const others = types.map((own) => (own === name ? otherTypes[name] : own))
    return edit('type changed', name, put('type', others.length > 1 ? others : others[0]))
  })
  const widened = plain.includes('integer')
    ? [edit('type widened', 'integer', put('type', 'number'))]
    : []
  const refused = put('type', plain.length > 1 ? plain : plain[0])
  const allowed = (node: Node) => {
    node['type'] = [...types, 'null']
    if (values) node['enum'] = [...values, null]
  }
  return [
    ...list,
    ...changed,
    ...(nullable ? [] : widened),
    nullable ? edit('null rejected', type, refused) : edit('null allowed', type, allowed),
  ]
}

const otherFormats: Record<string, string> = { date: 'date-time', 'date-time': 'date' }

function ofTexts(schema: Schema): Edit[] {
  const { format, pattern } = schema as { format?: string; pattern?: string }
  // Said for generators of code; the bounds beside it say more.
  const ofFormat =
    format === undefined || format === 'int32' || format === 'double'
      ? []
      : [
          edit('format dropped', format, drop('format')),
          edit('format changed', format, put('format', otherFormats[format] ?? 'date')),
        ]
  if (pattern === undefined) return ofFormat
  const loose = pattern.replace(/^\^/, '').replace(/\$$/, '')
  return [
    ...ofFormat,
    edit('pattern dropped', pattern, drop('pattern')),
    ...(loose === pattern ? [] : [edit('pattern loosened', pattern, put('pattern', loose))]),
  ]
}

const rules = ['if', 'not', 'dependentRequired', 'uniqueItems', 'propertyNames', 'contains']

function ofRules(schema: Schema): Edit[] {
  const single = rules
    .filter((keyword) => schema[keyword] !== undefined)
    .map((keyword) =>
      edit('rule dropped', keyword, drop(keyword, ...(keyword === 'if' ? ['then', 'else'] : []))),
    )
  const closed =
    schema.additionalProperties === false
      ? [edit('opened', 'additionalProperties', drop('additionalProperties'))]
      : []
  const lists = (['allOf', 'anyOf', 'oneOf'] as const).flatMap((keyword) =>
    (schema[keyword] ?? []).flatMap((part, index) =>
      isNull(part) || (keyword !== 'allOf' && schema[keyword]!.length < 2)
        ? []
        : [
            edit('rule dropped', `${keyword} ${index}`, (node) => {
              const rest = (node[keyword] as unknown[]).toSpliced(index, 1)
              if (rest.length > 0) node[keyword] = rest
              else delete node[keyword]
            }),
          ],
    ),
  )
  return [...single, ...closed, ...lists]
}

function ofWords(schema: Schema): Edit[] {
  const code = schema['x-error-code']
  const preset = schema['default']
  const other =
    typeof preset === 'number' ? preset + 1 : typeof preset === 'boolean' ? !preset : 'x'
  return [
    ...(code ? [edit('code dropped', code, drop('x-error-code'))] : []),
    ...(preset === undefined
      ? []
      : [
          edit('default dropped', preset, drop('default')),
          edit('default changed', preset, put('default', other)),
        ]),
  ]
}
