import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { documents, eachOperation, readBundle } from '../../scripts/contract/contract.ts'
import { everyPath, html, idsOf, mainOf, siteFolder } from './site.ts'

const pages = everyPath.map((path) => {
  const source = html(path)
  return { path, source, main: mainOf(source), ids: idsOf(source) }
})
const known = new Map(pages.map(({ path, ids }) => [`/docs/${path}`, new Set(ids)]))

test('an id occurs once on a page', () => {
  const twice = pages.flatMap(({ path, ids }) => {
    return ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${path}#${id}`)
  })
  expect(twice).toEqual([])
})

test('headings leave out no level', () => {
  const jumps = pages.filter(({ main }) => {
    const levels = [...main.matchAll(/<h([1-6])[ >]/g)].map(([, level]) => Number(level))
    return levels[0] !== 1 || levels.some((level, index) => level > (levels[index - 1] ?? 0) + 1)
  })
  expect(jumps.map(({ path }) => path)).toEqual([])
})

test('every link within the docs leads to a page, a file or an anchor that is there', () => {
  const links = pages.flatMap(({ path, source }) => {
    const found = source.matchAll(/<(?:a|link) [^>]*?href="([^"]+)"/g)
    return [...new Set([...found].map(([, href]) => href!))].map((href) => [path, href] as const)
  })
  expect(links.length).toBeGreaterThan(5000)
  expect(links.filter(([path, href]) => !leadsSomewhere(`/docs/${path}`, href))).toEqual([])
})

test.each(documents)('%s links each operation and each tag to its place in the docs', (name) => {
  const contract = readBundle(name)
  const linked = [...contract.tags, ...eachOperation(contract).map(({ operation }) => operation)]
  const places = linked.map(({ externalDocs }) => new URL(externalDocs!.url))
  expect(new Set(places.map(String)).size).toBe(linked.length)
  expect(
    places.filter(({ pathname, hash }) => {
      const ids = known.get(pathname)
      return !ids || (hash !== '' && !ids.has(hash.slice(1)))
    }),
  ).toEqual([])
})

function leadsSomewhere(page: string, href: string): boolean {
  const { pathname, hash, origin } = new URL(href, `http://docs${page}`)
  if (origin !== 'http://docs') return true
  const ids = known.get(pathname)
  if (!ids) return existsSync(join(siteFolder, decodeURIComponent(pathname.replace('/docs/', ''))))
  return hash === '' || ids.has(decodeURIComponent(hash.slice(1)))
}

test('what is loaded comes from the docs', () => {
  const loaded = pages.flatMap(({ source }) => {
    return [...source.matchAll(/<(?:script|img|link)[^>]+(?:src|href)="([^"]+)"/g)]
  })
  expect(loaded.map(([, url]) => url!).filter((url) => !url.startsWith('/docs/'))).toEqual([])
})
