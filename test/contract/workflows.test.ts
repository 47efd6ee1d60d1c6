import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
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
  service = await startWorld({ settings: { environment: 'sandbox', reportDelayMs: 30_000 } })
  url = await service.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => service.close())

interface Check {
  name: string
  message: string
  passed: boolean
  severity: string
}

interface Report {
  files: Record<
    string,
    { executedWorkflows: { executedSteps: { stepId: string; checks: Check[] }[] }[] }
  >
}

// A program of its own, which formats every answer at length.
const patience = 120_000

test.each(files)('%s runs to its end', { timeout: patience }, async (file) => {
  const output = join(mkdtempSync(join(tmpdir(), 'workflow-')), 'report.json')
  const servers = ['interface', 'sandbox'].flatMap((name) => ['-S', `${name}=${url}`])
  // Its schema check closes what stands behind `then` by itself; the service checks its answers.
  const settings = ['--severity', 'SCHEMA_CHECK=off', '--json-output', output]
  const args = [redocly, 'respect', join(folder, file), ...servers, ...settings]
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const ended = await promisify(execFile)(process.execPath, args, { cwd: root, env }).catch(
    (error) => error as { stdout: string; stderr: string },
  )
  const report = JSON.parse(readFileSync(output, 'utf8')) as Report
  const steps = Object.values(report.files)
    .flatMap(({ executedWorkflows }) => executedWorkflows)
    .flatMap(({ executedSteps }) => executedSteps)
  const failed = steps.flatMap(({ stepId, checks }) =>
    checks
      .filter(({ passed, severity }) => !passed && severity !== 'off')
      .map(({ name, message }) => `${stepId}: ${name}: ${message}`),
  )
  expect(failed).toEqual([])
  const written = readFileSync(join(folder, file), 'utf8').match(/stepId:/g) ?? []
  expect(steps.length, ended.stderr).toBe(written.length)
})
