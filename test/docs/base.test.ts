import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'

const folder = mkdtempSync(join(tmpdir(), 'docs-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Builds a page of each sort of source for another place than the service. */
function build(base: string): void {
  const pages = ['', 'guides/seed-data/', 'operations/walletGet/']
  const args = ['--out', folder, ...pages.flatMap((page) => ['--only', page])]
  const env = { ...process.env, DOCS_BASE: base }
  execFileSync(process.execPath, ['scripts/docs/main.ts', ...args], {
    cwd: root,
    env,
    stdio: 'pipe',
  })
}

const places = /(?:href|src)="(\/[^"]*)"|\]\((\/[^)\s]*)\)/g

test('the site can be served below another address, and then sends requests to the service', () => {
  build('/financial-data-service/')
  const files = globSync('**/*.{html,md,txt,atom}', { cwd: folder })
  const links = files.flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(places)].map(
      ([, inHtml, inText]) => inHtml ?? inText!,
    ),
  )
  expect(links.length).toBeGreaterThan(1000)
  expect(links.filter((link) => !link.startsWith('/financial-data-service/'))).toEqual([])
  const page = readFileSync(join(folder, 'operations/walletGet/index.html'), 'utf8')
  expect(page).not.toContain('/docs/operations')
  const scripts = globSync('assets/operations_walletGet*.js', { cwd: folder })
  const console = scripts.map((file) => readFileSync(join(folder, file), 'utf8')).join('')
  expect(console).toContain('http://127.0.0.1:4000')
}, 240_000)

test('a base that is no path is rejected', () => {
  expect(() => build('docs')).toThrow('DOCS_BASE must be a path that begins and ends with a slash')
})
