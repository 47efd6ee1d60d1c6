import { describe, expect, test } from 'vitest'
import { eachExample, requestSchema, responseSchema } from '../../scripts/contract/contract.ts'
import { errorsOf } from '../../scripts/contract/error-keys.ts'
import { enumOf, factsOf } from '../../scripts/docs/field-words.ts'
import { eachField, type Field, shapeOf } from '../../scripts/docs/fields.ts'
import { toMarkdown } from '../../scripts/docs/to-markdown.ts'
import { catalogue, everyPath, html, read, webhooks, written } from './site.ts'

const markdownVersion = (path: string): string =>
  read(path === '' ? 'index.md' : path.replace(/\/?$/, '.md').replace('/.md', '.md'))

/** Without code, in which anything may stand. */
const prose = (markdown: string): string =>
  markdown.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').replaceAll(/`+[^`\n]*`+/g, '')

describe('the Markdown version of a page', () => {
  test.each(everyPath)('stands beside /docs/%s, which links it, and holds no HTML', (path) => {
    const file = path === '' ? 'index.md' : path.replace(/\/$/, '.md')
    const link = `<link rel="alternate" type="text/markdown" title="This page as Markdown" href="/docs/${file}">`
    expect(html(path)).toContain(link)
    expect(markdownVersion(path)).toMatch(/^# ./)
    expect(prose(markdownVersion(path))).not.toMatch(/<\/?[a-z!]|&[a-z]+;/i)
  })

  test.each(written)('tells all of $path: fields, errors, examples', (entry) => {
    const { from, area, path, operation } = entry
    const bodies = [requestSchema(operation), responseSchema(from, operation)]
    const fields = bodies.flatMap((schema) => eachField(shapeOf(from, schema, '')))
    const errors = errorsOf(from, operation).filter(([status]) => status !== 'default')
    const examples = eachExample(from).filter(({ operationId, status = '200' }) => {
      return operationId === operation.operationId && status === '200'
    })
    const json = examples.filter(({ mediaType }) => mediaType === 'application/json')
    const text = markdownVersion(`${area}/${operation.operationId}/`)
    const expected = [
      `POST \`${path}\``,
      ...errors.flatMap(([, keys]) => keys.map((key) => `/docs/errors/${key}.md)`)),
      ...examples.map(({ name }) => `(\`${name}\`)`),
      ...json.map(({ value }) => JSON.stringify(value, null, 2)),
    ]
    expect(missing(text, expected)).toEqual([])
    expect(untold(text, fields)).toEqual([])
  })

  test.each(catalogue)('tells what to do about %s', (key, entry) => {
    const text = markdownVersion(`errors/${key}/`)
    const told = [bare(entry['x-action']), bare(entry.description)]
    expect(missing(bare(text), told)).toEqual([])
    expect(missing(text, [JSON.stringify(entry.value, null, 2)])).toEqual([])
  })

  test.each(webhooks)('tells of $name', ({ name, from, webhook, schema }) => {
    const text = markdownVersion(`webhooks/${name}/`)
    expect(missing(bare(text), [bare(webhook.description)])).toEqual([])
    expect(untold(text, eachField(shapeOf(from, schema, '')))).toEqual([])
  })
})

/** The fields of which no entry of the list tells all there is to tell. */
function untold(text: string, fields: Field[]): string[] {
  const entries = text.split(/^(?= *- (?:`[^`]+`|\*any key\*) \()/m).map((entry) => entry.trim())
  const entriesOf = (field: Field) =>
    entries.filter((entry) => entry.startsWith(headOf(field))).map(bare)
  /** Whether an entry tells these values, or names another field that has told them. */
  const hasValues = (entry: string, values: string[]): boolean => {
    if (missing(entry, values).length === 0) return true
    const [, named] = / values, those of (\S+)\.(?: |$)/.exec(entry) ?? []
    const others = fields.filter(({ path }) => named?.endsWith(path))
    return others.flatMap(entriesOf).some((other) => missing(other, values).length === 0)
  }
  const missed = fields.filter((field) => {
    const [words, values] = [wordsOf(field).map(bare), valuesOf(field).map(bare)]
    return !entriesOf(field).some(
      (entry) => missing(entry, words).length === 0 && hasValues(entry, values),
    )
  })
  return missed.map(({ path }) => path)
}

const headOf = ({ name }: Field): string => (name === '*' ? '- *any key* (' : `- \`${name}\` (`)

const wordsOf = ({ shape }: Field): string[] => [
  shape.schema.description ?? '',
  ...factsOf(shape).map(({ label, text }) => `${label}: ${text}`),
]

const valuesOf = ({ shape }: Field): string[] => enumOf(shape).flat()

const missing = (text: string, parts: string[]): string[] =>
  parts.filter((part) => !text.includes(part))

/** The words alone: without links, code marks and escapes, and with single spaces. */
const bare = (text: string): string =>
  text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`\\]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

describe('the index for machines', () => {
  const index = read('llms.txt')
  const links = [...index.matchAll(/^- \[.+?\]\(\/docs\/(.+?)\): ./gm)].map(([, file]) => file!)

  test('has a line for each page, which leads to its Markdown version', () => {
    const files = everyPath.map((path) => (path === '' ? 'index.md' : path.replace(/\/$/, '.md')))
    expect(links.toSorted()).toEqual(files.toSorted())
    expect(index).toMatch(/^# Financial Data Service\n\n> ./)
  })

  test('has the text of all of them beside it', () => {
    const all = read('llms-full.txt')
    for (const path of everyPath)
      expect(all).toContain(`Page: /docs/${path}\n\n${markdownVersion(path)}`)
  })
})

describe('HTML becomes Markdown', () => {
  test('with links to Markdown versions, and none within the page', () => {
    const source =
      '<p>See <a href="/docs/errors/X/#y">X</a> and <a href="#z"><code>z</code></a>.</p>'
    expect(toMarkdown(source)).toBe('See [X](/docs/errors/X.md#y) and `z`.')
  })

  test('with what Markdown would read otherwise escaped', () => {
    expect(toMarkdown('<p>a * b &lt;c&gt; [d] &amp;</p>')).toBe('a \\* b \\<c> \\[d\\] &')
  })

  test('or not at all, where an element is unknown or left open', () => {
    expect(() => toMarkdown('<video></video>')).toThrow('video')
    expect(() => toMarkdown('<p><b>bold</b></p>')).toThrow('<b>')
    expect(() => toMarkdown('<p>never closed')).toThrow('<p> is never closed')
    expect(() => toMarkdown('<p><em>crossed</p></em>')).toThrow('<em> ends with </p>')
  })
})
