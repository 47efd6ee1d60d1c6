import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import {
  canIsolate,
  executables,
  firstInside,
  type Image,
  makeImage,
  runInside,
} from './support/container.ts'
import { canTry, report } from './support/report.ts'
import { metricsOf, watch } from './support/watched-process.ts'

// What the Dockerfile and the unit say, done without an engine for containers and without systemd.

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'deploy-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const node = '/usr/local/bin/node'
const possible = canTry(canIsolate(), 'the container: only root can make namespaces here')

test.runIf(possible)(
  'the image runs read only, without a user account, with nothing else in it',
  async () => {
    const image = makeImage(folder)
    expect(image.user).toBeGreaterThan(0)
    const programs = executables(image).filter((path) => !/\.so(\.|$)|\/ld-linux/.test(path))
    expect(programs.filter((path) => !path.startsWith('/app/'))).toEqual([node])
    const collector = await openCollector()
    onTestFinished(collector.close)
    const child = runInside(image, image.command, {
      SERVICE_ENV: 'sandbox',
      PORT: '0',
      ENCRYPTION_KEY: 'cd'.repeat(32),
      METRICS_PORT: '0',
      METRICS_HOST: '127.0.0.1',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const service = await watch(child, () => firstInside(child))
    expect((await service.post('/wallet/create', { iso_currency_code: 'GBP' })).status).toBe(200)
    expect(readdirSync(join(image.folder, image.workdir, 'data'))).toContain('service.sqlite')
    const { port } = new URL(service.url)
    expect(await exitOf(image, image.healthcheck, { PORT: port })).toBe(0)
    expect(await exitOf(image, image.healthcheck, { PORT: '1' })).toBe(1)
    const client = `await import('/app/dist/src/client/client.js')`
    expect(await exitOf(image, [node, '--input-type=module', '-e', client])).toBe(0)
    const write = (path: string) => [node, '-e', `fs.writeFileSync('${path}', '')`]
    expect(await exitOf(image, write(`${image.workdir}/mine`))).toBe(0)
    expect(await exitOf(image, write('/app/theirs'))).toBe(1)
    // The parts that are loaded only when somebody asks for them are in the bundle, too.
    expect((await metricsOf(service)).get('fds_ready')).toBe(1)
    const { code, ms } = await service.stop()
    expect(code).toBe(0)
    expect(collector.received()).toContain('walletCreate')
    report('the image of the Dockerfile runs with a read-only root, as nobody, without a shell', {
      megabytes: megabytes(image.folder),
      user: image.user,
      programs: programs.filter((path) => !path.startsWith('/app/')).length,
      stop_ms: ms,
    })
  },
  120_000,
)

async function exitOf(image: Image, command: string[], more = {}): Promise<number> {
  const [code] = await once(runInside(image, command, more), 'exit')
  return code
}

const megabytes = (path: string): number => {
  const [kilobytes] = execFileSync('du', ['-sk', path], { encoding: 'utf8' }).split('\t')
  return Math.round(Number(kilobytes) / 1000)
}

/** A collector of traces that keeps what it is sent. */
async function openCollector() {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    for await (const chunk of request) bodies.push(String(chunk))
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    received: () => bodies.join(''),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const analyze = '/usr/bin/systemd-analyze'
const hasSystemd = canTry(existsSync(analyze), 'the systemd unit: there is no systemd-analyze')

test.runIf(hasSystemd)('the unit is valid, and confines the service', () => {
  const text = readFileSync(join(root, 'scripts/deploy/financial-data-service.service'), 'utf8')
  // Else five starts that fail, as while the database is away, are the last.
  expect(text).toMatch(/^\[Unit\]\n[^[]*^StartLimitIntervalSec=0$/m)
  const unit = join(folder, 'financial-data-service.service')
  // Where this machine has its Node is no matter of the unit.
  writeFileSync(unit, text.replace('/usr/bin/node', process.execPath))
  execFileSync(analyze, ['verify', '--man=no', unit], { stdio: 'pipe' })
  const options = ['security', '--offline=true', '--no-pager', unit]
  const told = execFileSync(analyze, options, { encoding: 'utf8' })
  const exposure = Number(/exposure level for .*: ([\d.]+)/.exec(told)?.[1])
  expect(exposure).toBeLessThan(2)
  report('the systemd unit is valid; its exposure, from 0 (safe) to 10', { exposure })
})
