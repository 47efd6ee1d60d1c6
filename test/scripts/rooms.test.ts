import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { withoutRoom } from '../../scripts/lint/operations.ts'
import { programs, rooms } from '../../scripts/lint/rooms.ts'

/** What the linter says of files of the service that have one import each. */
function lint(imports: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'rooms-'))
  try {
    for (const file of ['biome.json', 'generated/import-rules.json']) {
      cpSync(join(root, file), join(folder, file))
    }
    for (const [file, imported] of Object.entries(imports)) {
      const path = join(folder, 'src/server', file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, `import type { A } from '${imported}'\nexport type B = A\n`)
    }
    const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
    const args = [biome, 'lint', '--vcs-enabled=false', '--reporter=github', 'src']
    return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }).stdout
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('every file of the service stands in a room, or is a program', () => {
  const names = readdirSync(join(root, 'src/server')).filter((name) => !name.endsWith('.json'))
  expect(withoutRoom()).toEqual([])
  expect(names.sort()).toEqual([...rooms.map(({ name }) => name), ...programs].sort())
})

test('an import from a room above fails with its file and line', () => {
  const wrong = {
    'kernel/money.ts': '../db/sqlite.ts',
    'items/item.ts': '../transactions/store.ts',
    'pipeline/admission.ts': '../sandbox/world/store.ts',
    'sandbox/items/store.ts': '../../boot/start.ts',
    'worker/webhooks/post.ts': '../../serve.ts',
    'clients/store.ts': '../../../generated/handlers.ts',
  }
  const said = lint(wrong).split('\n')
  for (const file of Object.keys(wrong)) {
    const [room] = file.split('/')
    const found = said.find((line) => line.includes(`/src/server/${file},line=1,`)) ?? file
    expect(found).toContain(`src/server/${room} may not import from a room above it`)
  }
})

test('imports from rooms below, and from what is generated, are fine', () => {
  const right = {
    'transactions/store.ts': '../items/store.ts',
    'sandbox/items/store.ts': '../../items/store.ts',
    'fixtures/load-item.ts': '../../../generated/sandbox/types.ts',
    'boot/handlers.ts': '../../../generated/handlers.ts',
  }
  expect(lint(right)).not.toContain('may not import')
})
