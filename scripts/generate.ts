import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { bundle } from './bundle.ts'
import { isMain, root } from './contract.ts'
import { errors } from './errors.ts'
import { operations } from './operations.ts'
import { types } from './types.ts'
import { validators } from './validators.ts'
import { versions } from './versions.ts'

/** Makes everything under `generated/` anew, in the order in which one output needs another. */
const steps = { bundle, versions, errors, types, operations, validators }

export async function generate(): Promise<void> {
  rmSync(join(root, 'generated'), { recursive: true, force: true })
  for (const [name, step] of Object.entries(steps)) {
    const start = performance.now()
    await step()
    console.log(`${name.padEnd(12)}${Math.round(performance.now() - start)} ms`)
  }
}

if (isMain(import.meta.filename)) await generate()
