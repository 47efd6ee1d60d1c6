import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { addressOf, launch, toServiceProcess } from '../support/service-process.ts'

// Each module that a start loads costs every start its time. What is seldom needed is loaded when it
// is: validators of files and of answers, readers of YAML, hosted pages, protocols of connectors.

const most = { files: 950, bytes: 3_300_000 }
const late: Readonly<Record<string, RegExp>> = {
  'validators of all components': /^generated\/(?!account-kinds\/).*\/validators\//,
  YAML: /^node_modules\/yaml\//,
  'readers of statements': /^src\/statements\/(read-statement\.ts$|csv\/)/,
  'pages of link tokens': /^src\/server\/hosted\/link-pages\.ts$/,
  'pages of verifications': /^src\/server\/hosted\/verify\/verify-pages\.ts$/,
  'readers of seed data': /^src\/server\/fixtures\/read-seed-data\.ts$/,
}

let folder: string
let files: string[]
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'modules-'))
  // The second start is the usual one.
  for (let start = 0; start < 2; start += 1) files = await loadedByStart()
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true }))

/** The modules of a start and its end, from the root. */
async function loadedByStart(): Promise<string[]> {
  const list = join(folder, 'modules.json')
  const environment = { DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'silent', MODULES_FILE: list }
  const preload = [join(import.meta.dirname, '../support/note-modules.ts')]
  const { child } = launch({ environment, preload, showsErrors: true })
  const url = await addressOf(child)
  expect(await toServiceProcess(child, url ?? '').stop()).toBe(0)
  const urls = JSON.parse(readFileSync(list, 'utf8')) as string[]
  return urls
    .filter((one) => one.startsWith('file:'))
    .map((one) => relative(root, fileURLToPath(one)))
}

const there = globSync(['{src,generated}/**/*.{ts,js}', 'node_modules/yaml/**/*.js'], { cwd: root })

test.each(Object.entries(late))('there are %s to load', (_name, pattern) => {
  expect(there.some((file) => pattern.test(file))).toBe(true)
})

test.each(Object.entries(late))('a start loads no %s', (_name, pattern) => {
  expect(files.filter((file) => pattern.test(file))).toEqual([])
})

test('a start loads no more than it did', () => {
  const sizes = files.map((file) => ({ file, bytes: statSync(join(root, file)).size }))
  const bytes = sizes.reduce((sum, one) => sum + one.bytes, 0)
  const largest = sizes.toSorted((one, other) => other.bytes - one.bytes).slice(0, 20)
  const told = largest.map((one) => `${one.bytes} ${one.file}`).join('\n')
  expect(files.length, told).toBeLessThanOrEqual(most.files)
  expect(bytes, told).toBeLessThanOrEqual(most.bytes)
})
