import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from '../../scripts/contract/contract.ts'
import { createPlace, engine } from './engine.ts'
import { attempt } from './installed-package.ts'
import { productionKey } from './production-key.ts'
import { addressOf, end, launch } from './service-process.ts'

/** A production service that was started, and its log until now. */
export interface Running {
  child: ChildProcess
  url: string
  log(): string
}

/** A folder and a database for services in production, and for the commands of their operator. */
export async function createProduction() {
  const folder = mkdtempSync(join(tmpdir(), 'production-'))
  const place = await createPlace()
  const children: ChildProcess[] = []
  const environment = {
    SERVICE_ENV: 'production',
    ENCRYPTION_KEY: productionKey,
    LOG_LEVEL: 'info',
    ...(engine === 'postgres'
      ? { DATABASE_URL: place.address }
      : { DATA_DIR: dirname(place.address) }),
  }

  async function start(more: Record<string, string>): Promise<Running> {
    const { child } = launch({ environment: { ...environment, ...more } })
    children.push(child)
    let log = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        log += text
      })
    }
    const url = await addressOf(child)
    if (url === undefined) throw new Error(`the service ended before it listened: ${log}`)
    return { child, url, log: () => log }
  }

  /** What a command of the operator prints: one value for each line. */
  async function command(...args: string[]) {
    const main = join(root, 'src/cli/main.ts')
    const { code, stdout, stderr } = await attempt(process.execPath, [main, ...args, '--json'], {
      cwd: folder,
      env: environment,
    })
    if (code !== 0) throw new Error(stderr)
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  }

  const stop = () => Promise.all(children.splice(0).map((child) => end(child, 'SIGTERM')))

  return {
    folder,
    environment,
    start,
    command,
    /** Ends the services. */
    stop,
    async remove() {
      await stop()
      await place.remove()
      rmSync(folder, { recursive: true })
    },
  }
}

export type Production = Awaited<ReturnType<typeof createProduction>>
