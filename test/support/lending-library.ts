import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../scripts/contract/contract.ts'

/** The contract of an invented lending library, for which no script was written. */
export const libraryFolder: string = join(root, 'test/consumers/lending-library')

const run = promisify(execFile)

/** Below the root, so that packages are found. */
export function newFolder(): string {
  mkdirSync(join(root, '.cache'), { recursive: true })
  return mkdtempSync(join(root, '.cache/lending-library-'))
}

interface Outcome {
  code: number
  stdout: string
  stderr: string
}

/** Runs a program with this Node, in a folder. */
export async function runNode(folder: string, ...args: string[]): Promise<Outcome> {
  const { INIT_CWD: _, ...env } = process.env
  try {
    return { code: 0, ...(await run(process.execPath, args, { cwd: folder, env })) }
  } catch (error) {
    return error as Outcome
  }
}

/** Runs `generate` as `npm run generate -- --contract … --out …` does, from a folder. */
export const generate = (folder: string, ...args: string[]): Promise<Outcome> =>
  runNode(folder, join(root, 'scripts/run.js'), 'generate', ...args)

/** Copies the contract into a folder and changes one of its files. */
export function copyWith(folder: string, file: string, from: string | RegExp, to: string): void {
  cpSync(join(libraryFolder, 'openapi'), join(folder, 'openapi'), { recursive: true })
  const path = join(folder, 'openapi', file)
  const before = readFileSync(path, 'utf8')
  const after = before.replace(from, to)
  if (after === before) throw new Error(`${file} has no ${from}`)
  writeFileSync(path, after)
}

/** Copies the contract into a folder without its webhooks, and without what only they need. */
export function copyWithoutWebhooks(folder: string): void {
  const copy = join(folder, 'openapi')
  cpSync(join(libraryFolder, 'openapi'), copy, { recursive: true })
  const onlyTheirs = [
    ...['webhooks', 'paths/keys', 'components/schemas/keys', 'examples/keys'],
    ...['components/parameters/ServiceVerification.yaml', 'examples/{holds,loans}/webhooks.yaml'],
    ...['components/schemas/*/*Webhook.yaml', 'errors/INVALID_WEBHOOK_VERIFICATION_KEY_ID.yaml'],
  ]
  for (const path of globSync(onlyTheirs, { cwd: copy })) remove(join(copy, path))
  const file = join(copy, 'openapi.yaml')
  const parts = /^webhooks:\n(?: .*\n)+|^ {2}- name: keys\n(?: {4}.*\n)+|^ {2}\/webhook_.*\n/gm
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(parts, ''))
}

/** Puts the programs beside what is generated, which they import. */
export const addPrograms = (out: string): void =>
  cpSync(join(libraryFolder, 'program'), join(out, 'program'), { recursive: true })

/** The mock that was generated, on a free port. */
export async function startMock(out: string): Promise<{ url: string } & AsyncDisposable> {
  const child = spawn(process.execPath, ['src/mock/contract-main.ts', '--port', '0'], {
    cwd: out,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string]
  return {
    url: line.slice(line.indexOf('http')).trim(),
    async [Symbol.asyncDispose]() {
      child.kill()
      await once(child, 'close')
    },
  }
}

export const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true })
