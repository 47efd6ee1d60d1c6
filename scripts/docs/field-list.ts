import { escapeHtml } from './escape-html.ts'
import { enumOf, type Fact, factsOf, typeWords } from './field-words.ts'
import { eachField, type Field, type Shape } from './fields.ts'
import { codeLink, inline, type Links, list } from './html.ts'

/** How a list of fields is written. */
interface ListOptions {
  links: Links
  /** Whether the reader writes this body; it decides the words for fields that may be missing. */
  request: boolean
  /** Whether nested fields are open at first. */
  open: boolean
  /** The anchors written so far, since alternatives can share a field. */
  anchors: Set<string>
  /** The long lists of values written so far, each with the field that has it. */
  lists: Map<string, string>
  /** The field that is being written. */
  path: string
}

const nothingWritten = () => ({
  anchors: new Set<string>(),
  lists: new Map<string, string>(),
  path: '',
})

const fewFields = 20

/** A body as a nested list of its fields, with what must hold between them. */
export function fieldList(body: Shape, links: Links, request: boolean): string {
  const all = eachField(body)
  const nested = all.length > body.fields.length
  const options = { links, request, open: all.length <= fewFields, ...nothingWritten() }
  const fields = request ? requiredFirst(body.fields) : body.fields
  return [
    rules(body.rules, options),
    nested && !options.open ? expandButton : '',
    listFields(fields, options),
  ].join('\n')
}

/** Works by the one listener of `src/docs/reveal.ts`. */
const expandButton =
  '<button type="button" class="expand" aria-expanded="false">Expand all fields</button>'

const requiredFirst = (fields: Field[]): Field[] =>
  fields.toSorted((left, right) => Number(right.required) - Number(left.required))

/** Fields that are no body: headers. */
export const fieldItems = (fields: Field[], links: Links, request: boolean): string =>
  listFields(fields, { links, request, open: true, ...nothingWritten() })

const listFields = (fields: Field[], options: ListOptions): string =>
  `<ul class="fields">\n${fields.map((field) => item(field, options)).join('\n')}\n</ul>`

function item(field: Field, options: ListOptions): string {
  const { path, name, shape } = field
  const id = options.anchors.has(path) ? '' : ` id="${path}"`
  options.anchors.add(path)
  const label = name === '*' ? '<em>any key</em>' : `<code>${escapeHtml(name)}</code>`
  const head = [
    `<a class="field-name" href="#${path}">${label}</a>`,
    `<span class="field-type">${typeWords(shape)}</span>`,
    ...badges(field, options.request),
  ]
  return `<li class="field"${id}><div class="field-head">${head.join(' ')}</div>${value(shape, name, { ...options, path })}</li>`
}

function badges({ required, shape }: Field, request: boolean): string[] {
  const words = [
    request ? (required ? 'required' : 'optional') : required ? '' : 'may be absent',
    shape.nullable && shape.schema.type !== 'null' ? 'can be null' : '',
    shape.schema['deprecated'] ? 'deprecated' : '',
  ]
  return words
    .filter(Boolean)
    .map((word) => `<span class="badge ${word.replaceAll(' ', '-')}">${word}</span>`)
}

/** The description and constraints of a value, and then its fields. */
function value(shape: Shape, name: string, options: ListOptions): string {
  const { links } = options
  const description = shape.schema.description ?? shape.items?.schema.description
  const plainItems = shape.fields.length === 0 && shape.items?.fields.length === 0
  const ofItems = plainItems ? factsOf(shape.items!) : []
  return [
    description ? `<p>${inline(description, links)}</p>` : '',
    facts(factsOf(shape), ofItems, links),
    values(shape, options),
    shape.shownAt ? seeAbove(shape.shownAt) : '',
    alternatives(shape, name, options),
    nested(shape, name, options),
  ].join('')
}

function facts(own: Fact[], ofItems: Fact[], links: Links): string {
  const all = [
    ...own,
    ...ofItems
      .filter(({ label }) => label !== 'Example')
      .map(({ label, text }) => ({ label: `Each: ${label.toLowerCase()}`, text })),
  ]
  if (all.length === 0) return ''
  const items = all.map(({ label, text }) => {
    return `<span class="fact">${label}</span> ${inline(text, links)}`
  })
  return list(items, 'facts')
}

const fewValues = 8

function values(shape: Shape, { links, lists, path }: ListOptions): string {
  const all = enumOf(shape)
  if (all.length === 0) return ''
  const items = all.map(([name, meaning]) => {
    return `${codeLink(name, new Map())}${meaning ? ` ${inline(meaning, links)}` : ''}`
  })
  const described = all.some(([, meaning]) => meaning !== '')
  const html = list(items, described ? 'values' : 'values plain')
  const [one, several] = shape.schema.enum ? ['Always', 'One of'] : ['Each always', 'Each one of']
  const label = all.length === 1 ? one : several
  if (all.length <= fewValues)
    return `<div class="choice"><span class="fact">${label}</span>${html}</div>`
  const first = lists.get(html)
  if (first !== undefined) return `<p>${label} ${all.length} values, those of ${linkTo(first)}.</p>`
  lists.set(html, path)
  return `<details class="choice"><summary>${label} ${all.length} values</summary>${html}</details>`
}

const linkTo = (path: string): string => `<a href="#${path}"><code>${path}</code></a>`

const seeAbove = (path: string): string => `<p>The same fields again as in ${linkTo(path)}.</p>`

function alternatives(shape: Shape, name: string, options: ListOptions): string {
  const inside = shape.items?.alternatives.length ? shape.items.alternatives : shape.alternatives
  if (inside.length === 0) return ''
  const items = inside.map((part) => {
    return `<span class="field-type">${typeWords(part)}</span>${value(part, name, options)}`
  })
  return `<div class="choice"><span class="fact">One of these forms</span>${list(items, 'forms')}</div>`
}

/** The fields inside, of an object or of the objects in an array. */
function nested(shape: Shape, name: string, options: ListOptions): string {
  const holder = shape.items && shape.fields.length === 0 ? shape.items : shape
  const { fields } = holder
  if (fields.length === 0) {
    const further = holder.items ? nested(holder, name, options) : ''
    return rules(holder.rules, options) + further
  }
  const count = eachField(holder).length
  const words = `${count} ${count === 1 ? 'field' : 'fields'}`
  const of = `<span class="visually-hidden"> of ${escapeHtml(name)}</span>`
  const body = rules(holder.rules, options) + listFields(fields, options)
  const open = options.open ? ' open' : ''
  return `<details class="nested"${open}><summary>${words}${of}</summary>${body}</details>`
}

const fewRules = 3

function rules(all: string[], { links }: ListOptions): string {
  if (all.length === 0) return ''
  const html = list(
    all.map((rule) => inline(rule, links)),
    'rules',
  )
  if (all.length <= fewRules) return html
  return `<details class="choice"><summary>${all.length} rules between these fields</summary>${html}</details>`
}
