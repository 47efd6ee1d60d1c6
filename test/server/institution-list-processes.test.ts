import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { engine } from '../support/engine.ts'
import { createProduction, type Production, type Running } from '../support/production-processes.ts'
import { type Credentials, headersOf, launch } from '../support/service-process.ts'

// Processes that read a file of institutions when they start, and again on SIGHUP.

const processes = engine === 'postgres' ? 2 : 1

let production: Production
let file: string
beforeAll(async () => {
  production = await createProduction()
  file = join(production.folder, 'institutions.yaml')
})
afterEach(() => production.stop())
afterAll(() => production.remove())

const start = () => production.start({ INSTITUTIONS: file })

const write = (name: string) =>
  writeFileSync(
    file,
    `institutions:
  - institution_id: ins_harbor
    name: ${name}
    country_codes: [DE]
    connector: file
`,
  )

async function newClient(): Promise<Credentials> {
  const [{ client_id, secret }] = await production.command('client', 'create', 'A')
  return { clientId: client_id, secret }
}

async function search({ url }: Running, client: Credentials): Promise<string[]> {
  const response = await fetch(`${url}/institutions/search`, {
    method: 'POST',
    headers: headersOf(client),
    body: JSON.stringify({ query: 'ins_harbor', country_codes: ['DE'] }),
  })
  const { institutions } = (await response.json()) as { institutions: { name: string }[] }
  return institutions.map(({ name }) => name)
}

/** The lines of the log about the list. */
const linesOf = ({ log }: Running): Record<string, unknown>[] =>
  log()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.includes('institutions'))
    .filter((line) => !line.includes('"request"'))
    .map((line) => JSON.parse(line))

test('SIGHUP reads the file again for every process, and a wrong one leaves the list', async () => {
  write('Harbor Bank')
  const all: Running[] = []
  for (let count = 0; count < processes; count += 1) all.push(await start())
  const client = await newClient()
  const names = async () => (await Promise.all(all.map((one) => search(one, client)))).flat()
  const told = all.map(() => expect.anything())
  expect(await names()).toEqual(told.map(() => 'Harbor Bank'))

  const [first] = all as [Running]
  write('Quay Bank')
  first.child.kill('SIGHUP')
  await expect.poll(names).toEqual(told.map(() => 'Quay Bank'))

  write('Wrong Bank')
  appendFileSync(file, 'colour: red\nsize: 5\n')
  first.child.kill('SIGHUP')
  await expect.poll(() => linesOf(first).length).toBe(3)
  const [begun, again, wrong] = linesOf(first)
  expect([begun, again]).toMatchObject([{ added: 3 }, { changed: 1, file: 'institutions.yaml' }])
  expect(wrong).toMatchObject({ level: 'warn' })
  expect(wrong?.['msg']).toBe(
    `the institutions stay as they were, since the file cannot be used: ${file}:6:1: colour is not a known key (and more: \`institutions check\` prints them)`,
  )
  rmSync(file)
  first.child.kill('SIGHUP')
  await expect.poll(() => linesOf(first).at(-1)?.['msg']).toContain('there is no such file')
  expect(await names()).toEqual(told.map(() => 'Quay Bank'))

  const entries = await production.command('audit', 'list')
  const reads = entries.filter(({ action }) => action === 'institutions.read')
  expect(reads.map(({ actor, subject }) => [actor, subject])).toEqual([
    ['service:start', 'institutions.yaml'],
    ['service:SIGHUP', 'institutions.yaml'],
  ])
})

test('many signals at once lead to the last list', async () => {
  write('One Bank')
  const running = await start()
  const client = await newClient()
  for (const name of ['Two', 'Three', 'Four', 'Five']) {
    write(`${name} Bank`)
    running.child.kill('SIGHUP')
  }
  await expect.poll(() => search(running, client)).toEqual(['Five Bank'])
})

test('a start on a wrong file ends with its mistakes', async () => {
  writeFileSync(file, 'institutions:\n  - name: A\n    connector: simplefin\n')
  const { child, errors } = launch({
    environment: { ...production.environment, INSTITUTIONS: file },
  })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  expect([code, errors().trim().split('\n')]).toEqual([
    1,
    [
      `${file}:2:5: institutions[0].institution_id is required`,
      `${file}:2:5: institutions[0].country_codes is required`,
    ],
  ])
})
