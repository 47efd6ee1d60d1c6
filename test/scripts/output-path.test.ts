import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isBuild } from '../../scripts/build/main.ts'
import { root } from '../../scripts/contract/contract.ts'
import { fileMistake, folderMistake, sourceFolders } from '../../scripts/output-path.ts'
import { hintOf } from '../../src/nearest.ts'

// `npm run build` and `npm run docs` empty the folder that they are given. Here a folder stands for
// the checkout, so that nothing is lost where they would not refuse.

const top = realpathSync(mkdtempSync(join(tmpdir(), 'output-path-')))
const checkout = join(top, 'checkout')

function write(path: string): void {
  mkdirSync(dirname(join(top, path)), { recursive: true })
  writeFileSync(join(top, path), '')
}

beforeAll(() => {
  for (const path of [
    ...['checkout/src/server/main.ts', 'checkout/generated/1/openapi.json', 'foreign/src/a.js'],
    ...['app/src/server/main.js', 'app/THIRD-PARTY-NOTICES.txt'],
    ...['build/src/server/main.js', 'build/THIRD-PARTY-NOTICES.txt'],
    'build/generated/1/openapi.json',
  ]) {
    write(path)
  }
  mkdirSync(join(top, 'empty'))
  symlinkSync(checkout, join(top, 'link'))
})
afterAll(() => rmSync(top, { recursive: true }))

const mistakeOf = (path: string) => folderMistake(join(top, path), isBuild, checkout)

describe('a folder for what is built', () => {
  test.each([
    ['checkout', 'is the checkout'],
    ['link', 'is the checkout'],
    ['checkout/src/..', 'is the checkout'],
    ['', 'contains the checkout'],
    ['checkout/src', 'is in the sources'],
    ['checkout/src/new/folder', 'is in the sources'],
    ['link/generated', 'is in the sources'],
    ['foreign/src/a.js', 'is a file'],
    ['foreign/src/a.js/b', 'is a file'],
    ['foreign', 'is not empty, and was not built'],
    ['app', 'is not empty, and was not built'],
  ])('is not %j', (path, words) => {
    expect(mistakeOf(path)).toContain(words)
  })

  test.each(['new/folder', 'empty', 'build', 'checkout/dist', 'checkout/node_modules/.cache/x'])(
    'can be %j',
    (path) => {
      expect(mistakeOf(path)).toBeUndefined()
    },
  )

  test('is the usual one, whatever a build or the docs left there', () => {
    expect(isBuild(join(root, 'dist'))).toBe(true)
  })

  test('is no folder with sources of the checkout', () => {
    const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n')
    const folders = files.filter((file) => file.includes('/')).map((file) => file.split('/')[0])
    expect(sourceFolders).toEqual(expect.arrayContaining([...new Set(folders)]))
  })
})

test('a file can be written where there is a folder for it', () => {
  expect(fileMistake(join(top, 'empty/new.json'))).toBeUndefined()
  expect(fileMistake(join(top, 'foreign/src/a.js'))).toBeUndefined()
  expect(fileMistake(join(top, 'empty'))).toContain('is a folder, and no file')
  expect(fileMistake(join(top, 'none/new.json'))).toContain('there is no folder')
  expect(fileMistake(join(top, 'foreign/src/a.js/b'))).toContain('there is no folder')
})

test('a name without letters is not what was meant', () => {
  expect(hintOf('nonsense', ['', '2020-09-14'])).toBe('')
})
