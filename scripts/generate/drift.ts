import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '../command.ts'
import { root } from '../contract/contract.ts'
import { generate } from './generate.ts'

/** Every generated file, and package.json and CONTRIBUTING.md, parts of which are, by path. */
function readAll(): Map<string, string> {
  const files = [
    'package.json',
    'CONTRIBUTING.md',
    ...globSync('generated/**/*.*', { cwd: root }).sort(),
  ]
  return new Map(files.map((file) => [file, readFileSync(join(root, file), 'latin1')]))
}

/** Generates everything again, and fails if that changes what is there. */
async function checkDrift(): Promise<boolean> {
  const before = readAll()
  await generate()
  const after = readAll()
  const files = new Set([...before.keys(), ...after.keys()])
  const changed = [...files].filter((file) => before.get(file) !== after.get(file))
  if (changed.length === 0) return true
  console.error(`what is generated did not fit openapi/; now it does, so commit these:`)
  for (const file of changed) console.error(`  ${file}`)
  return false
}

await runCommand(checkDrift)
