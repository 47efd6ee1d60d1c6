import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  type Contract,
  documents,
  generatedFolder,
  requestSchema,
  resolve,
  responseSchema,
  root,
  type Schema,
  versions,
} from '../../scripts/contract/contract.ts'
import { guides } from '../../scripts/docs/guides.ts'
import { readers } from '../../scripts/docs/readers.ts'
import { catalogue, html, idsOf, read, siteFolder, webhooks, written } from './site.ts'

/** Where the fields of a body should have their anchors; `*` stands for the keys of a map. */
function anchorsOf(from: Contract, schema: Schema, place: string, open: Schema[] = []): string[] {
  const target = resolve(from, schema)
  if (open.includes(target)) return []
  const inside = [...open, target]
  const { properties = {}, items, additionalProperties: values } = target
  const named = Object.entries(properties).map(
    ([name, part]) => [`${place}.${name}`, part] as const,
  )
  const mapped = typeof values === 'object' ? [[`${place}.*`, values] as const] : []
  const parts = [target.allOf, target.anyOf, target.oneOf].flatMap((list) => list ?? [])
  return [
    ...[...named, ...mapped].flatMap(([path, part]) => [
      path,
      ...anchorsOf(from, part, path, inside),
    ]),
    ...[...parts, ...(items ? [items] : [])].flatMap((part) =>
      anchorsOf(from, part, place, inside),
    ),
  ]
}

describe('the docs have', () => {
  test.each(written)('a page for $path, and an anchor for each field', (entry) => {
    const { from, area, path, operation } = entry
    const source = html(`${area}/${operation.operationId}`)
    expect(source).toContain(operation.summary)
    expect(source.replaceAll('<wbr>', '')).toContain(`<code>${path}</code>`)
    const request = anchorsOf(from, requestSchema(operation), 'request')
    const response = anchorsOf(from, responseSchema(from, operation), 'response')
    const expected = [...request, ...response, 'errors']
    expect(idsOf(source)).toEqual(expect.arrayContaining(expected))
  })

  test.each(webhooks)(
    'a page for $name, and an anchor for each field',
    ({ name, from, schema }) => {
      const expected = anchorsOf(from, schema, 'body')
      expect(idsOf(html(`webhooks/${name}`))).toEqual(expect.arrayContaining(expected))
    },
  )

  test.each(catalogue)('a page for the error %s', (key, entry) => {
    const source = html(`errors/${key}`)
    expect(source).toContain('id="action"')
    expect(source.includes('No request leads to this error')).toBe('x-unreachable' in entry)
  })

  test('an anchor for every documentation URL, which leads to all errors of the code', () => {
    const index = html('errors')
    const addresses = Map.groupBy(catalogue, ([, { value }]) => {
      return String(value['documentation_url'] ?? value['error_uri'])
    })
    expect(addresses.size).toBeGreaterThan(60)
    for (const [address, entries] of addresses) {
      const { pathname, hash } = new URL(address)
      expect(pathname).toBe('/docs/errors')
      const after = index.slice(index.indexOf(` id="${hash.slice(1)}"`))
      const section = after.slice(0, after.search(/<\/(tr|ul)>/))
      for (const [key] of entries) expect(section).toContain(`href="/docs/errors/${key}/"`)
    }
  })

  test.each(documents)('the bundle of %s to download', (name) => {
    const file = readFileSync(join(siteFolder, 'openapi', `${name}.json`))
    const same = file.equals(readFileSync(join(generatedFolder(name), 'openapi.json')))
    expect(same, 'dist/docs is older than generated/: run `npm run docs`').toBe(true)
    const page = versions.includes(name) ? html('versions') : html(name)
    expect(page).toContain(`href="/docs/openapi/${name}.json"`)
  })

  test.each(guides())('a page for the guide "$title"', ({ path }) => {
    expect(html(path)).toContain('class="lead"')
  })

  test('a first page that leads each kind of reader to a guide', () => {
    const first = html('')
    expect(readers().map(({ who }) => who)).toHaveLength(6)
    for (const { who, guide } of readers()) {
      expect(first).toContain(`<strong>${who}</strong>`)
      expect(first).toContain(`href="/docs/${guide.path}">${guide.title}</a>`)
    }
  })

  test('every page that the README names', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    const named = [...readme.matchAll(/http:\/\/127\.0\.0\.1:4000\/docs\/([^)#]+)/g)]
    expect(named.length).toBeGreaterThan(0)
    for (const [, path] of named) expect(html(path!)).toContain('<h1')
  })

  test.each(versions)('a section on the version %s', (version) => {
    expect(html('versions')).toContain(`id="${version}"`)
  })

  test('a search index of at most 1.6 MB', () => {
    const chunks = join(siteFolder, 'assets/chunks')
    const index = readdirSync(chunks).find((name) => name.includes('localSearchIndex'))!
    expect(statSync(join(chunks, index)).size).toBeLessThan(1.6e6)
  })

  test('a page for an address that leads nowhere', () => {
    expect(read('404.html')).toContain('id="app"')
  })
})
