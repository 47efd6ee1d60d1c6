import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reject, takeArguments } from '../../scripts/command.ts'
import { startService, type TestService } from '../../src/testing/index.ts'
import type { Bundle } from './bundles.ts'
import type { Consumer } from './consumers.ts'
import { faults } from './faults.ts'
import { consumerNames } from './names.ts'
import { here, packageVersion } from './programs.ts'

interface Row {
  consumer: string
  version: string
  checked: string
  result: 'ok' | 'FAILED'
  seconds: string
}

/** Gives the contract to every consumer, or to those named, and fails if one has trouble. */
const usage = `usage: npm run test:consumers [-- NAME…]
Gives the contract to programs that others wrote, or to those that are named.`

async function main(): Promise<void> {
  const { positionals: names } = takeArguments(usage, Number.POSITIVE_INFINITY)
  const known: readonly string[] = consumerNames
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) reject(`there is no consumer ${unknown}: ${known.join(', ')}`)
  install()
  // What needs the packages is loaded once they are there.
  const { bundles } = await import('./bundles.ts')
  const { consumers } = await import('./consumers.ts')
  const chosen = consumers.filter(({ name }) => names.length === 0 || names.includes(name))
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'consumers-')))
  const all = bundles()
  const rows: Row[] = []
  await using service = await startService()
  for (const consumer of chosen) rows.push(await check(consumer, all, folder, service))
  console.table(rows)
  const failed = rows.some(({ result }) => result === 'FAILED')
  if (failed) console.error(`What was generated is in ${folder}`)
  else rmSync(folder, { recursive: true })
  process.exitCode = failed || rows.length === 0 ? 1 : 0
}

/** Installs the consumers, unless those of the lock file are there. */
function install(): void {
  const lock = join(here, 'package-lock.json')
  const installed = join(here, 'node_modules/.installed.json')
  if (existsSync(installed) && readFileSync(installed).equals(readFileSync(lock))) return
  console.log('installing the consumers')
  const { status } = npm(['ci', '--prefix', here, '--ignore-scripts', '--no-audit', '--no-fund'])
  if (status !== 0) throw new Error(`npm ci ended with ${status}`)
  copyFileSync(lock, installed)
}

/** Runs the npm that runs this, or else the one in the path. */
function npm(args: string[]) {
  const file = process.env['npm_execpath']
  const options = { cwd: here, stdio: ['ignore', 'ignore', 'inherit'] as ('ignore' | 'inherit')[] }
  const all = [...args, '--loglevel=error']
  if (file) return spawnSync(process.execPath, [file, ...all], options)
  return spawnSync('npm', all, { ...options, shell: process.platform === 'win32' })
}

async function check(
  consumer: Consumer,
  all: Bundle[],
  folder: string,
  service: TestService,
): Promise<Row> {
  const { consume } = await import('./consumers.ts')
  const { name, checked } = consumer
  const start = performance.now()
  const row = { consumer: name, version: packageVersion(name), checked }
  const end = (result: Row['result']): Row => {
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    console.log(`${result === 'ok' ? '✓' : '✗'} ${name}, ${seconds} s`)
    for (const { consumer, fault, answer } of faults) {
      if (consumer === name) console.log(`  known fault: ${fault} ${answer}`)
    }
    return { ...row, result, seconds }
  }
  try {
    await consume(consumer, all, folder, service)
    return end('ok')
  } catch (error) {
    console.error(`\n${name}\n${(error as Error).message}`)
    return end('FAILED')
  }
}

await main()
