import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { newerSource, staleBuild } from '../../scripts/newer.ts'

const folder = mkdtempSync(join(tmpdir(), 'newer-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Writes a file that was changed so many seconds after the others. */
function write(file: string, seconds: number): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), '')
  utimesSync(join(folder, file), 1_700_000_000 + seconds, 1_700_000_000 + seconds)
}

test('a build that is older than its sources says what to run', () => {
  write('dist/src/server/main.js', 0)
  write('dist/docs/index.html', 0)
  write('openapi/errors/NEW.yaml', 5)
  write('src/server/main.ts', 0)
  expect(staleBuild(folder)).toEqual([])
  write('src/docs/guides/01-start.md', 60)
  expect(staleBuild(folder)).toEqual([
    'dist/docs/index.html is older than src/docs/guides/01-start.md, and what is new there answers 404: run `npm run docs`',
  ])
  write('openapi/errors/NEW.yaml', 60)
  expect(staleBuild(folder).map((line) => line.slice(line.lastIndexOf(': run ') + 6))).toEqual([
    '`npm run build`',
    '`npm run docs`',
  ])
})

test('what was never made is not older', () => {
  expect(newerSource(['openapi/**/*'], ['none'], folder)).toBeUndefined()
})
