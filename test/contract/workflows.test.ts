import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { undated } from '../../scripts/contract/undated.ts'
import { startWorld, type TestService } from '../support/service.ts'

// The workflows, run against the service by an independent program.

const folder = join(root, 'openapi/workflows')
const files = readdirSync(folder).filter((file) => file.endsWith('.arazzo.yaml'))
const redocly = join(root, 'node_modules/@redocly/cli/bin/cli.js')

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

let service: TestService
let report: Report
let told: string

// A program of its own, which formats every answer at length; its start takes most of the time.
beforeAll(async () => {
  service = await startWorld({ settings: { environment: 'sandbox', reportDelayMs: 30_000 } })
  const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  // It can be busy with one answer for longer than an idle connection is kept.
  service.app.server.keepAliveTimeout = 600_000
  const output = join(mkdtempSync(join(tmpdir(), 'workflow-')), 'report.json')
  const servers = ['interface', ...undated].flatMap((name) => ['-S', `${name}=${url}`])
  // Its schema check closes what stands behind `then` by itself; the service checks its answers.
  const settings = ['--severity', 'SCHEMA_CHECK=off', '--json-output', output]
  const args = [redocly, 'respect', ...files.map((file) => join(folder, file))]
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const ended = await promisify(execFile)(process.execPath, [...args, ...servers, ...settings], {
    cwd: root,
    env,
    maxBuffer: 2 ** 26,
  }).catch((error) => error as { stderr: string })
  report = JSON.parse(readFileSync(output, 'utf8'))
  told = ended.stderr
}, 120_000)
afterAll(() => service.close())

test.each(files)('%s runs to its end', (file) => {
  const steps = Object.entries(report.files)
    .filter(([path]) => basename(path) === file)
    .flatMap(([, { executedWorkflows }]) => executedWorkflows)
    .flatMap(({ executedSteps }) => executedSteps)
  const failed = steps.flatMap(({ stepId, checks }) =>
    checks
      .filter(({ passed, severity }) => !passed && severity !== 'off')
      .map(({ name, message }) => `${stepId}: ${name}: ${message}`),
  )
  expect(failed).toEqual([])
  const written = readFileSync(join(folder, file), 'utf8').match(/stepId:/g) ?? []
  expect(steps.length, told).toBe(written.length)
})
