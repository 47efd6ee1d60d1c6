import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type Contract,
  documents,
  eachOperation,
  eachWebhook,
  generatedFolder,
  readBundle,
  readCatalogue,
  readSandboxCatalogue,
  requestSchema,
  resolve,
  responseSchema,
  root,
  type Schema,
  sandbox,
  versions,
} from '../../scripts/contract.ts'
import { guides } from '../../scripts/docs/guides.ts'
import { type FileServer, findChromium, launchBrowser, serveDocs } from '../support/browser.ts'

const folder = join(root, 'dist/docs')
if (!existsSync(join(folder, 'index.html'))) {
  throw new Error('dist/docs is not there: run `npm run docs` first')
}

const contract = readBundle()
const operations = eachOperation(contract)
const webhooks = eachWebhook(contract)
const catalogue = Object.entries({ ...readCatalogue(), ...readSandboxCatalogue() })

/** Every operation of the contract and of the control surface, with the folder of its page. */
const written = [
  ...operations.map((entry) => ({ ...entry, from: contract, area: 'operations' })),
  ...eachOperation(readBundle(sandbox)).map((entry) => {
    return { ...entry, from: readBundle(sandbox), area: 'sandbox' }
  }),
]

const html = (path: string): string => readFileSync(join(folder, path, 'index.html'), 'utf8')
const idsOf = (source: string): string[] =>
  [...source.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)

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

  test.each(webhooks)('a page for $name, and an anchor for each field', ({ name, schema }) => {
    const expected = anchorsOf(contract, schema, 'body')
    expect(idsOf(html(`webhooks/${name}`))).toEqual(expect.arrayContaining(expected))
  })

  test.each(catalogue)('a page for the error %s', (key, entry) => {
    const source = html(`errors/${key}`)
    expect(source).toContain('id="action"')
    expect(source.includes('No request leads to this error')).toBe('x-unreachable' in entry)
  })

  test('an anchor on the index for every code, which leads to all errors of the code', () => {
    const index = html('errors')
    const codes = Map.groupBy(catalogue, ([, { value }]) => value['error_code'] ?? value['error'])
    expect(idsOf(index)).toEqual(expect.arrayContaining([...codes.keys()]))
    for (const [code, entries] of codes) {
      const after = index.slice(index.indexOf(` id="${code}"`))
      const section = after.slice(0, after.search(/<\/(tr|ul)>/))
      for (const [key] of entries) expect(section).toContain(`href="/docs/errors/${key}/"`)
    }
  })

  test.each(documents)('the bundle of %s to download', (name) => {
    const file = readFileSync(join(folder, 'openapi', `${name}.json`))
    const same = file.equals(readFileSync(join(generatedFolder(name), 'openapi.json')))
    expect(same, 'dist/docs is older than generated/: run `npm run docs`').toBe(true)
    const page = versions.includes(name) ? html('versions') : html(name)
    expect(page).toContain(`href="/docs/openapi/${name}.json"`)
  })

  test.each(guides())('a page for the guide "$title", which the introduction links', ({ path }) => {
    expect(html(path)).toContain('class="lead"')
    expect(html('')).toContain(`href="/docs/${path}"`)
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

  test('a search index of at most 1.5 MB', () => {
    const chunks = join(folder, 'assets/chunks')
    const index = readdirSync(chunks).find((name) => name.includes('localSearchIndex'))!
    expect(statSync(join(chunks, index)).size).toBeLessThan(1.5e6)
  })
})

describe('on every page', () => {
  const pages = globSync('**/index.html', { cwd: folder }).map((file) => {
    const path = file.replace(/index\.html$/, '')
    const source = readFileSync(join(folder, file), 'utf8')
    return { path, source, ids: idsOf(source) }
  })
  const known = new Map(pages.map(({ path, ids }) => [`/docs/${path}`, new Set(ids)]))

  test('an id occurs once', () => {
    const twice = pages.flatMap(({ path, ids }) => {
      return ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${path}#${id}`)
    })
    expect(twice).toEqual([])
  })

  test('headings leave out no level', () => {
    const jumps = pages.filter(({ source }) => {
      const main = source.slice(source.indexOf('<main'), source.indexOf('</main>'))
      const levels = [...main.matchAll(/<h([1-6])[ >]/g)].map(([, level]) => Number(level))
      return levels[0] !== 1 || levels.some((level, index) => level > (levels[index - 1] ?? 0) + 1)
    })
    expect(jumps.map(({ path }) => path)).toEqual([])
  })

  test('links lead somewhere within the docs', () => {
    const broken = pages.flatMap(({ path, source }) => {
      const main = source.slice(source.indexOf('<main'), source.indexOf('</main>'))
      const links = [...main.matchAll(/<a [^>]*?href="([^"]+)"/g)].map(([, href]) => href!)
      return links.filter((href) => !leadsSomewhere(`/docs/${path}`, href)).map((to) => [path, to])
    })
    expect(broken).toEqual([])
  })

  function leadsSomewhere(page: string, href: string): boolean {
    const { pathname, hash, origin } = new URL(href, `http://docs${page}`)
    if (origin !== 'http://docs') return true
    const ids = known.get(pathname)
    if (!ids) return existsSync(join(folder, pathname.replace('/docs/', '')))
    return hash === '' || ids.has(decodeURIComponent(hash.slice(1)))
  }

  test('what is loaded comes from the docs', () => {
    const loaded = pages.flatMap(({ source }) => {
      return [...source.matchAll(/<(?:script|img|link)[^>]+(?:src|href)="([^"]+)"/g)]
    })
    expect(loaded.map(([, url]) => url!).filter((url) => !url.startsWith('/docs/'))).toEqual([])
  })
})

const chromium = findChromium('docs in a browser')

describe.skipIf(!chromium)('in a browser', () => {
  let server: FileServer
  let browser: Browser
  let page: Page
  const requested: string[] = []
  const problems: string[] = []

  beforeAll(async () => {
    server = await serveDocs(folder)
    browser = await launchBrowser(chromium!)
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    page.on('request', (request) => requested.push(request.url()))
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text())
    })
  })
  afterAll(async () => {
    await browser?.close()
    server?.close()
  })
  afterEach(() => {
    expect(requested.filter((url) => !url.startsWith(server.origin))).toEqual([])
    expect(problems).toEqual([])
  })

  const open = async (path: string) => {
    await page.goto(`${server.origin}/docs/${path}`)
    // Vue leaves its mark on the element that it has taken over.
    await page.waitForFunction(() => '__vue_app__' in (document.querySelector('#app') ?? {}))
  }

  /** What the search finds first. */
  const find = async (words: string): Promise<string | null> => {
    await page.keyboard.press('Control+k')
    const results = page.locator('.VPLocalSearchBox .result')
    await page.fill('.VPLocalSearchBox input', '')
    await results.first().waitFor({ state: 'detached' })
    await page.fill('.VPLocalSearchBox input', words)
    await results.first().waitFor()
    const href = await results.first().getAttribute('href')
    await page.keyboard.press('Escape')
    return href
  }

  test('the navigation lists every operation and every verb of the control surface', async () => {
    await open('')
    const links = page.locator('.VPSidebar a')
    const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    const pages = written.map(({ area, operation }) => `/docs/${area}/${operation.operationId}/`)
    expect(pages).toHaveLength(26 + 38)
    const expected = [...pages, ...guides().map(({ path }) => `/docs/${path}`)]
    expect(hrefs).toEqual(expect.arrayContaining(expected))
  })

  test('the search finds an operation, a chapter of a guide, an error and a field', async () => {
    await open('')
    const sync = '/docs/operations/transactionsSync/'
    expect(await find('/transactions/sync')).toBe(sync)
    expect(await find('transactionsSync')).toBe(sync)
    expect(await find('sync transactions')).toBe(sync)
    expect(await find('/sandbox/clock/advance')).toBe('/docs/sandbox/sandboxClockAdvance/')
    expect(await find('errors on demand')).toBe('/docs/guides/test-with-it/#errors-on-demand')
    expect(await find('ITEM_LOGIN_REQUIRED')).toBe('/docs/errors/ITEM_LOGIN_REQUIRED/')
    expect(await find('include_original_description')).toMatch(
      /#request\.options\.include_original_description$/,
    )
  })

  test('a link to a nested field opens what hides it', async () => {
    await open('operations/accountsGet#response.accounts.balances.available')
    const field = page.locator('[id="response.accounts.balances.available"]')
    await expect.poll(() => field.isVisible()).toBe(true)
    await expect.poll(() => field.evaluate((at) => at === document.activeElement)).toBe(true)
  })

  test('the documentation URL of an error leads to it', async () => {
    await open('errors#PRODUCT_NOT_READY')
    const heading = page.locator('#PRODUCT_NOT_READY')
    await expect.poll(() => heading.evaluate((at) => at === document.activeElement)).toBe(true)
  })

  test('the console sends what is filled in to the server of the page', async () => {
    await open('operations/accountsGet')
    await page.getByRole('button', { name: 'Open the console' }).click()
    await page.getByLabel('Secret').fill('another')
    await page.getByLabel('Version').selectOption('2019-05-29')
    await page.getByLabel(/^Header/).fill('code=400')
    await page.getByLabel('Body', { exact: true }).fill('{"access_token": "x"}')
    await page.getByRole('button', { name: 'POST /accounts/get' }).click()
    await page.getByText('200 OK').waitFor()
    const [post] = server.posts
    expect(post).toMatchObject({ path: '/accounts/get', body: '{"access_token": "x"}' })
    expect(post!.headers).toMatchObject({
      'content-type': 'application/json',
      'service-client-id': 'sandbox-client',
      'service-secret': 'another',
      'service-version': '2019-05-29',
      prefer: 'code=400',
    })
    expect(await page.getByLabel('Body of the answer').textContent()).toContain('"ok": true')
  })

  test('the first stop of the keyboard skips the navigation', async () => {
    await open('')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^\s*Skip to/)
  })

  test('dark mode can be switched on', async () => {
    await open('')
    const isDark = () => page.evaluate(() => document.documentElement.classList.contains('dark'))
    expect(await isDark()).toBe(false)
    await page.locator('.VPNavBarAppearance .VPSwitchAppearance').click()
    expect(await isDark()).toBe(true)
    await page.locator('.VPNavBarAppearance .VPSwitchAppearance').click()
  })

  test('a phone scrolls no page sideways', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    const paths = [
      '',
      ...guides().map((guide) => guide.path),
      'operations/',
      'operations/identityVerificationCreate/',
      'operations/assetReportGet/',
      'sandbox/',
      'sandbox/sandboxPublicTokenCreate/',
      'webhooks/ASSETS.ERROR/',
      'errors/',
      'errors/TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION/',
      'versions/',
    ]
    for (const path of paths) {
      await open(path)
      const width = await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true
        return document.documentElement.scrollWidth
      })
      expect(width, path).toBe(390)
    }
  })
})
