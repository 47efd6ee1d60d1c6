import { existsSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bundle } from './bundles.ts'
import { faults } from './faults.ts'
import { attempt, here, tail } from './programs.ts'

const compilerOptions = {
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
}

interface Options {
  /** The name of the package that generated it. */
  consumer: string
  /** The folder whose `node_modules` has what the output imports; left out, this one. */
  bringer?: string
}

/** Compiles the TypeScript in a folder. */
export async function compile(
  folder: string,
  { consumer, bringer = here }: Options,
): Promise<void> {
  const link = join(folder, 'node_modules')
  if (!existsSync(link)) symlinkSync(join(bringer, 'node_modules'), link, 'junction')
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  const args = ['--project', folder]
  const { status, output } = await attempt({ name: 'typescript', bin: 'tsc', args, cwd: folder })
  const errors = output.split(/\n(?=\S)/).filter((error) => error.trim() !== '')
  const files = faults.find((fault) => fault.consumer === consumer && fault.files)?.files
  const own = errors.filter((error) => !files?.test(error))
  if (own.length > 0) throw new Error(`tsc ended with ${status}\n${tail(own.join('\n'))}`)
  if (files && errors.length === 0)
    throw new Error(`a fault is gone: take ${files} out of faults.ts`)
}

const checks = `
type Lost<Type> = 0 extends 1 & Type ? true : unknown extends Type ? true : false
type LostIn<Type> = true extends Lost<Type>
  ? 'itself'
  : Type extends object
    ? { [Key in keyof Type]-?: string extends Key ? never : true extends Lost<Type[Key]> ? Key : never }[keyof Type]
    : never
type Typed<Type> = [LostIn<Type>] extends [never] ? true : LostIn<Type>
type Calls = ReturnType<typeof connect>
type Results = { [Name in keyof Calls]: Typed<Awaited<ReturnType<Calls[Name]>>> }
export const areResults: [Results[keyof Results]] extends [true] ? true : Results = true
`

const connect = `import type { connect } from './connect.ts'`

/**
 * Adds a file that compiles only if no named schema is `unknown` or `any`, and no field of one, and
 * no result of the journey. The type is found by the imports and by the code for a name.
 */
export function expectTypes(
  { schemas }: Bundle,
  folder: string,
  imports: string,
  typeOf: (name: string) => string,
): void {
  const lines = schemas.map((name) => `export const is${name}: Typed<${typeOf(name)}> = true`)
  writeFileSync(join(folder, 'expected.ts'), [imports, connect, checks, ...lines].join('\n'))
}
