import { nextBody, type Style } from '../client/paginate.ts'
import { resolve, type Schema } from '../contract/document.ts'
import type { Finding } from '../contract/judge-answer.ts'
import { type Case, NotJudged, type Suite, sendTo } from './case.ts'
import { judgeSuccess } from './example-cases.ts'
import type { Subject } from './subjects.ts'

type Body = Record<string, unknown>
type Paged = Style & { limit?: string }

const wantedPages = 3
const mostPages = 1000

/** Every list ends, and its pages hold the same as one large page. */
export function pageCases(suite: Suite, subject: Subject): Case[] {
  const style = subject.operation['x-pagination'] as Paged | undefined
  if (!style) return []
  const { operationId } = subject
  return [
    {
      ...{ operationId, group: 'pages', name: 'pages end and lose nothing', data: 'reads' },
      run: () => readToTheEnd(suite, subject, style),
    },
  ]
}

async function readToTheEnd(suite: Suite, subject: Subject, style: Paged): Promise<Finding[]> {
  const first = firstBody(suite, subject, style)
  const most = sizeOf(subject, style)
  const whole = await readPages(
    suite,
    subject,
    style,
    most ? put(first, most.path, most.max) : first,
  )
  if (whole.findings.length > 0 || suite.stateless) return whole.findings
  if (whole.items.length === 0) throw new NotJudged('the list is empty')
  if (!most) return []
  const count = countFor(whole.items.length, most)
  const parts = await readPages(suite, subject, style, put(first, most.path, count))
  if (parts.findings.length > 0) return parts.findings
  const field = style.items.join(', ')
  if (parts.longest > count) {
    const message = `must be at most ${count} on a page, as \`${most.path}\` says, not ${parts.longest}`
    return [{ field, message }]
  }
  const doubled = parts.items.length - new Set(parts.items).size
  if (doubled > 0) return [{ field, message: `${doubled} items are on two pages` }]
  const missing = whole.items.filter((item) => !parts.items.includes(item))
  if (missing.length === 0 && parts.items.length === whole.items.length) return []
  const counts = `${parts.items.length} items with \`${most.path}\` ${count}, ${whole.items.length} with ${most.max}`
  return [{ field, message: `the pages must hold the same items: ${counts}` }]
}

/** So many items on a page that there are a few pages, with other bounds than the largest have. */
const countFor = (items: number, { min, max }: Size): number =>
  Math.max(min, Math.min(Math.floor(max / 2), Math.ceil(items / wantedPages)))

interface Read {
  items: string[]
  /** How many items the longest page has. */
  longest: number
  findings: Finding[]
}

async function readPages(suite: Suite, subject: Subject, style: Paged, first: Body): Promise<Read> {
  const items: string[] = []
  let longest = 0
  const asked = new Set<string>()
  for (let body: Body | undefined = first; body; ) {
    const text = JSON.stringify(body)
    if (asked.has(text)) {
      const field = style.has_more ?? style.response ?? style.request
      const message = 'leads back to a page that was read'
      return { items, longest, findings: [{ field, message }] }
    }
    if (asked.size === mostPages) throw new NotJudged(`the list has over ${mostPages} pages`)
    asked.add(text)
    const answered = await sendTo(suite, subject, body)
    const findings = judgeSuccess(suite, subject, answered)
    if (findings.length > 0) return { items, longest, findings }
    const answer = answered.body as Body
    const before = items.length
    for (const list of style.items) {
      items.push(...(answer[list] as unknown[]).map((item) => `${list} ${JSON.stringify(item)}`))
    }
    longest = Math.max(longest, items.length - before)
    body = nextBody(style, body, answer)
  }
  return { items, longest, findings: [] }
}

/** The example that begins at the start of the list. */
function firstBody(suite: Suite, subject: Subject, style: Paged): Body {
  const isFirst = ({ value }: { value: Body }) => at(value, style.request) === undefined
  const example = subject.requests.find(isFirst) ?? subject.requests[0]
  if (!example) throw new NotJudged('the contract has no example of its request')
  const body = JSON.parse(suite.localize(JSON.stringify(example.value)))
  return style.style === 'after_id' ? put(body, style.request, 0) : without(body, style.request)
}

interface Size {
  path: string
  min: number
  max: number
}

/** The field that says how many items a page has. */
function sizeOf({ contract, schema }: Subject, { limit = 'count' }: Paged): Size | undefined {
  const keys = limit.split('.')
  let node: Schema | undefined = resolve(contract, schema)
  for (const key of keys) {
    const part: Schema | undefined = node?.properties?.[key]
    node = part && alternative(resolve(contract, part))
  }
  const max = node?.['maximum']
  return typeof max === 'number'
    ? { path: limit, min: Number(node?.['minimum'] ?? 1), max }
    : undefined

  function alternative(found: Schema): Schema {
    const [one] = (found.anyOf ?? []).filter(({ type }) => type !== 'null')
    return one ? resolve(contract, one) : found
  }
}

const at = (body: Body, path: string): unknown =>
  path.split('.').reduce<unknown>((node, key) => Object(node)[key], body)

function put(body: Body, path: string, value: unknown): Body {
  const [key = '', ...rest] = path.split('.')
  const inner = (body[key] ?? {}) as Body
  return { ...body, [key]: rest.length === 0 ? value : put(inner, rest.join('.'), value) }
}

function without(body: Body, path: string): Body {
  const [key = '', ...rest] = path.split('.')
  if (rest.length > 0) {
    return key in body ? { ...body, [key]: without(body[key] as Body, rest.join('.')) } : body
  }
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== key))
}
