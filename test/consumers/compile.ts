import { existsSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { here, packageFolder, run } from './programs.ts'

const compilerOptions = {
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [],
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
}

/** Compiles the TypeScript in a folder, with the packages here or those that one of them brings. */
export async function compile(folder: string, bringer?: string): Promise<void> {
  const packages = join(bringer ? packageFolder(bringer) : here, 'node_modules')
  const link = join(folder, 'node_modules')
  if (!existsSync(link)) symlinkSync(packages, link, 'junction')
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  await run({ name: 'typescript', bin: 'tsc', args: ['--project', folder], cwd: folder })
}
