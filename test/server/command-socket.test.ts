import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { listenForCommands, sendCommand } from '../../src/server/boot/command-socket.ts'
import type { ImportReport } from '../../src/server/operator/import-report.ts'
import type { Events } from '../../src/server/operator/operator-command.ts'
import { UnfinishedImport } from '../../src/server/operator/unfinished-import.ts'
import { readStatement } from '../../src/statements/read-statement.ts'
import { longStatement, writeStatement } from '../support/import-file.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

let data: string
let commands: { close(): Promise<void> }
beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), 'commands-'))
  const target = { database: service.service.database, service: service.service, wake() {} }
  const log = {
    error: (error: unknown) => {
      throw error
    },
  }
  commands = await listenForCommands({ ...target, data }, log)
})
afterEach(async () => {
  await commands.close()
  rmSync(data, { recursive: true })
})

/** Sends the events of a file to import. */
function send(client_id: string, events: Events) {
  const order = { client_id, client_user_id: 'ada', institution_id: 'ins_100000', origin: 'ofx' }
  const whole = { ...order, file: 'a test', partial: false, dryRun: false }
  return sendCommand<ImportReport>(data, { import: whole, actor: 'test' }, events)
}

/** The events of a file with so many bookings. */
async function* eventsOf(count: number): Events {
  const text = writeStatement('OFX 1.x', longStatement(count))
  const pieces = (async function* () {
    yield Buffer.from(text)
  })()
  yield* (await readStatement(pieces)).events
}

/** More bookings than fit on the way, so that the import has begun once they are sent. */
const many = 6000
const never = new Promise<never>(() => {})
const mismatch = new Error('line 4 does not fit the mapping')

test('an import of a file that cannot be read to its end fails as the reading does', async () => {
  const { clientId } = await service.tenant()
  const sending = send(
    clientId,
    (async function* () {
      yield* eventsOf(many)
      throw mismatch
    })(),
  )
  await expect(sending).rejects.toBe(mismatch)
  await commands.close()
})

test('an import that fails late tells the new Item and its public token', async () => {
  const { clientId } = await service.tenant()
  const sending = send(
    clientId,
    (async function* () {
      yield* eventsOf(2100)
      yield* eventsOf(1)
      throw mismatch
    })(),
  )
  const error = await sending.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(UnfinishedImport)
  const { cause, report } = error as UnfinishedImport
  expect(cause).toBe(mismatch)
  expect(report).toMatchObject({
    item_id: expect.stringMatching(/./),
    public_token: expect.stringMatching(/^public-sandbox-/),
    accounts: [{ new: 2100 }],
  })
})

test('an answer that comes early ends the sending', async () => {
  let sent = 0
  const ended = Promise.withResolvers<void>()
  const endless = async function* (): Events {
    try {
      for (;;) {
        sent += 1
        yield* eventsOf(2000)
      }
    } finally {
      ended.resolve()
    }
  }
  await expect(send('nobody', endless())).rejects.toThrow('there is no client nobody')
  await ended.promise
  expect(sent).toBeGreaterThan(0)
})

test('the end of the service waits for no file that is still being sent', async () => {
  const { clientId } = await service.tenant()
  const waiting = Promise.withResolvers<void>()
  const sending = send(
    clientId,
    (async function* () {
      yield* eventsOf(many)
      waiting.resolve()
      await never
    })(),
  )
  const rejected = expect(sending).rejects.toThrow('the service ended before it was done')
  await waiting.promise
  await commands.close()
  await rejected
})

test('a socket of somebody else is told in one line', async () => {
  const other = 65_534
  const isRoot = process.getuid?.() === 0
  if (isRoot) process.seteuid?.(other)
  else chmodSync(data, 0)
  try {
    await expect(sendCommand(data, { client: 'list', actor: 'test' })).rejects.toThrow(
      'cannot be opened: run this as the user that the service runs as',
    )
  } finally {
    if (isRoot) process.seteuid?.(0)
    else chmodSync(data, 0o700)
  }
})
