import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { documents, root } from './contract.ts'

/** Folders of `src` with files that are read as they are when the program runs. */
const readAtRunTime = ['src/server/db/migrations', 'src/server/world']

const compiler = join(root, 'node_modules/typescript/bin/tsc')

/** Compiles `src` to `dist`, and puts beside it what of `generated` is not TypeScript. */
function build(): void {
  for (const folder of ['src', 'generated']) {
    rmSync(join(root, 'dist', folder), { recursive: true, force: true })
  }
  execFileSync(process.execPath, [compiler, '--project', join(root, 'src')], { stdio: 'inherit' })
  for (const name of documents) {
    for (const part of ['openapi.json', 'validators']) {
      const path = join('generated', name, part)
      cpSync(join(root, path), join(root, 'dist', path), { recursive: true })
    }
  }
  for (const folder of readAtRunTime) {
    const isRead = (source: string) => !/\.[cm]?ts$/.test(source)
    cpSync(join(root, folder), join(root, 'dist', folder), { recursive: true, filter: isRead })
  }
}

build()
