import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../scripts/contract/contract.ts'
import { type StartedService, start } from '../../src/server/boot/start.ts'
import { type Config, readConfig } from '../../src/server/config/config.ts'
import type { Database } from '../../src/server/kernel/database.ts'
import { attempt } from './installed-package.ts'

/** A client as a command prints it. */
export interface PrintedClient {
  client_id: string
  secret: string
}

/** An empty folder and environment, in which commands run as an operator types them. */
export interface TypedCommands {
  folder: string
  env: Record<string, string>
  /** Starts the service on a free port, and returns its address. */
  run(): Promise<string>
  stop(): Promise<void>
  /** The data of the service that runs. */
  database(): Database
  command(...args: string[]): Promise<{ code: number; output: string; errors: string }>
  /** The JSON that a command prints. Throws if it fails. */
  json<Printed>(...args: string[]): Promise<Printed>
  call(
    client: PrintedClient,
    path: string,
    body: object,
  ): Promise<{ status: number; body: Record<string, unknown> }>
  /** Writes a file into the folder, and returns its name. */
  write(name: string, text: string): string
  close(): Promise<void>
}

/** Prepares an empty production. */
export function openTypedCommands(): TypedCommands {
  const folder = mkdtempSync(join(tmpdir(), 'operators-'))
  const env: Record<string, string> = {
    SERVICE_ENV: 'production',
    ENCRYPTION_KEY: randomBytes(32).toString('hex'),
  }
  let service: StartedService | undefined
  return {
    folder,
    env,
    async run() {
      const args = ['--port', '0']
      service = await start(readConfig(args, { LOG_LEVEL: 'silent', ...env }) as Config)
      return service.address
    },
    async stop() {
      await service?.close()
      service = undefined
    },
    database() {
      if (!service) throw new Error('no service runs')
      return service.service.database
    },
    async command(...args) {
      const main = join(root, 'src/cli/main.ts')
      const ended = await attempt(process.execPath, [main, ...args], { cwd: folder, env })
      return { code: ended.code, output: ended.stdout.trim(), errors: ended.stderr.trim() }
    },
    async json<Printed>(...args: string[]) {
      const { code, output, errors } = await this.command(...args, '--json')
      if (code !== 0) throw new Error(`${args.join(' ')}: ${errors}`)
      return JSON.parse(output) as Printed
    },
    async call({ client_id, secret }, path, body) {
      const response = await fetch(`${service?.address}${path}`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'SERVICE-CLIENT-ID': client_id,
          'SERVICE-SECRET': secret,
        },
        body: JSON.stringify(body),
      })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    },
    write(name, text) {
      writeFileSync(join(folder, name), text)
      return name
    },
    async close() {
      await this.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
