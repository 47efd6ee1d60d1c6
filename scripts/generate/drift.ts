import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../contract/contract.ts'
import { generate } from './main.ts'

/** The hash of every generated file, and of package.json and CONTRIBUTING.md, parts of which are. */
function fingerprint(): Map<string, string> {
  const files = [
    'package.json',
    'CONTRIBUTING.md',
    ...globSync('generated/**/*.*', { cwd: root }).sort(),
  ]
  return new Map(
    files.map((file) => {
      const hash = createHash('sha256')
        .update(readFileSync(join(root, file)))
        .digest('hex')
      return [file, hash]
    }),
  )
}

/** Generates everything anew, and fails if that changes what is there. */
async function checkDrift(): Promise<void> {
  const before = fingerprint()
  await generate()
  const after = fingerprint()
  const files = new Set([...before.keys(), ...after.keys()])
  const changed = [...files].filter((file) => before.get(file) !== after.get(file))
  if (changed.length === 0) return
  console.error(`what is generated did not fit openapi/; now it does, so commit these:`)
  for (const file of changed) console.error(`  ${file}`)
  process.exitCode = 1
}

await checkDrift()
