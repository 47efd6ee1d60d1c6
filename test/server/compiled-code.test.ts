import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startProcess } from '../support/service-process.ts'

// A start finds what an earlier one has compiled, beside the data; the first one has made the data.

const timeout = 60_000

function makeData(): string {
  const folder = mkdtempSync(join(tmpdir(), 'compiled-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Starts on a folder and ends; what the service was asked for in between. */
async function runOnce(DATA_DIR: string): Promise<number> {
  // The tests have such a folder themselves, which would come first.
  const service = await startProcess({ DATA_DIR, NODE_COMPILE_CACHE: '' })
  onTestFinished(service.kill)
  const { status } = await service.post('/wallet/list', {})
  await service.stop()
  return status
}

const filesOf = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : []

test('what a start has compiled lies beside its data, and may come to harm', {
  timeout,
}, async () => {
  const data = makeData()
  await runOnce(data)
  const files = filesOf(join(data, 'compiled'))
  expect(files).not.toEqual([])
  for (const file of files) writeFileSync(file, Buffer.alloc(100, 7))
  expect(await runOnce(data)).toBe(200)
})

test('a folder that others can write to holds no code', { timeout }, async () => {
  const data = makeData()
  chmodSync(data, 0o777)
  expect(await runOnce(data)).toBe(200)
  expect(filesOf(join(data, 'compiled'))).toEqual([])
})

test('a service starts where nothing compiled can be kept', { timeout }, async () => {
  const data = makeData()
  writeFileSync(join(data, 'compiled'), 'in the way')
  expect(await runOnce(data)).toBe(200)
})
