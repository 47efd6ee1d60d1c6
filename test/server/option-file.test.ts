import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readOptionFile } from '../../src/server/boot/option-file.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'options-'))
  writeFileSync(join(folder, 'list.yaml'), 'a list')
  symlinkSync('list.yaml', join(folder, 'link.yaml'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const read = (name: string) =>
  readOptionFile('--list (LIST)', join(folder, name), (bytes) => Buffer.from(bytes).toString())

test('a file is read, also through a link', async () => {
  expect([await read('list.yaml'), await read('link.yaml')]).toEqual(['a list', 'a list'])
})

test.each([
  ['none.yaml', 'there is no such file'],
  ['.', 'is a folder'],
])('%s is rejected', async (name, message) => {
  await expect(read(name)).rejects.toThrow(`${join(folder, name)}: ${message}`)
})

test.skipIf(process.platform === 'win32')(
  'a pipe and a device are rejected, and not waited for',
  async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')])
    symlinkSync('/dev/zero', join(folder, 'zeros'))
    for (const name of ['pipe', 'zeros']) {
      await expect(read(name)).rejects.toThrow('must be a regular file, and no pipe or device')
    }
  },
)
