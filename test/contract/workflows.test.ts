import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../../scripts/contract.ts'
import { startWorld, type TestService } from '../support/service.ts'

// The workflows, run against the service by an independent program.

const folder = join(root, 'openapi/workflows')
const files = readdirSync(folder).filter((file) => file.endsWith('.arazzo.yaml'))
const redocly = join(root, 'node_modules/@redocly/cli/bin/cli.js')

let service: TestService
let url: string
beforeAll(async () => {
  service = await startWorld()
  url = await service.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => service.close())

test.each(files)('%s runs to its end', async (file) => {
  const servers = ['interface', 'sandbox'].flatMap((name) => ['-S', `${name}=${url}`])
  const args = [redocly, 'respect', join(folder, file), ...servers]
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env }).catch(
    (error) => error as { stdout: string },
  )
  expect(stdout).toContain('Workflows: 1 passed, 1 total')
  expect(stdout).not.toContain('✗')
})
