import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, release, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { runCommand } from '../command.ts'
import { root } from '../contract/contract.ts'
import { readRecorded, recordedFile } from '../docs/trust-page.ts'
import { conclude, runTests } from './run-tests.ts'

const usage = `usage: npm run test:trust -- [options] [topic …]
  --quick        a few minutes in all; what CI runs
  --long         an hour in all
  --seed NUMBER  what happens by chance happens like this (1)
  --record       keep the figures for the docs, in src/docs/trust.json
without topics, all of them: `

/** One row of what was measured. */
export interface Measured {
  topic: string
  claim: string
  figures: Readonly<Record<string, number | string>>
}

const config = join(root, 'test/trust/vitest.config.ts')

const topics = globSync('test/trust/*.test.ts', { cwd: root })
  .map((file) => basename(file, '.test.ts'))
  .sort()

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      long: { type: 'boolean', default: false },
      record: { type: 'boolean', default: false },
      seed: { type: 'string', default: '1' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.quick && values.long) throw new Error('--quick and --long cannot be used together')
  if (!/^\d{1,9}$/.test(values.seed)) throw new Error('--seed must be a whole number')
  const unknown = positionals.find((topic) => !topics.includes(topic))
  if (unknown) throw new Error(`there is no topic ${unknown}; topics: ${topics.join(', ')}`)
  const scale = values.quick ? 'quick' : values.long ? 'long' : 'normal'
  return { ...values, scale, chosen: positionals.length > 0 ? positionals : topics }
}

type Wishes = ReturnType<typeof readArguments>

async function run({ scale, seed, chosen, record }: Wishes): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'trust-'))
  const file = join(folder, 'figures')
  writeFileSync(file, '')
  console.log(`${scale}, seed ${seed}: ${chosen.join(', ')}\n`)
  const files = chosen.map((topic) => `test/trust/${topic}.test.ts`)
  const outcome = await runTests(['--config', config, ...files], {
    TRUST_SCALE: scale,
    TRUST_SEED: seed,
    TRUST_FIGURES: file,
  })
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  rmSync(folder, { recursive: true })
  const measured = lines.map((line) => JSON.parse(line) as Measured)
  show(measured)
  const good = conclude(outcome)
  if (record && good) keep(measured, scale, chosen)
  return good
}

function show(measured: readonly Measured[]): void {
  for (const topic of new Set(measured.map((row) => row.topic))) {
    console.log(`\n${topic}`)
    for (const { claim, figures } of measured.filter((row) => row.topic === topic)) {
      console.log(`  ${claim}`)
      const words = Object.entries(figures).map(([name, value]) => `${name} ${value}`)
      if (words.length > 0) console.log(`      ${words.join(' · ')}`)
    }
  }
}

/** Replaces what is recorded of these topics, and leaves the others. */
function keep(measured: readonly Measured[], scale: string, chosen: readonly string[]): void {
  const before = readRecorded().filter(({ topic }) => !chosen.includes(topic))
  const machine = `${cpus().length} cores, Node ${process.versions.node}, Linux ${release()}`
  const day = new Date().toISOString().slice(0, 10)
  const rows = [...before, ...measured.map((row) => ({ ...row, scale, day, machine }))]
  rows.sort((one, other) => one.topic.localeCompare(other.topic))
  writeFileSync(recordedFile, `${JSON.stringify(rows, null, 2)}\n`)
  console.log(`recorded in ${recordedFile.slice(root.length + 1)}`)
}

async function main(): Promise<boolean> {
  const wishes = readArguments()
  if (!wishes.help) return run(wishes)
  console.log(usage + topics.join(', '))
  return true
}

await runCommand(main)
