import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { fastify } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { type StartedService, start } from '../../src/server/boot/start.ts'
import { type Config, readConfig } from '../../src/server/config/config.ts'
import { prepareDataFolder } from '../../src/server/config/data-folder.ts'
import { parseEncryptionKey } from '../../src/server/config/encryption-key.ts'
import { ConfigError } from '../../src/server/config/read-option.ts'
import { listenWidely } from '../../src/server/http/listen.ts'
import { freePort } from '../support/free-port.ts'
import { productionKey } from '../support/production-key.ts'
import { addressOf, end, launch } from '../support/service-process.ts'

const key = productionKey
/** As random as production wants them. */
const secret = '5f0c9b1e7a3d48264c8e90f2b7d61a35'

let folder: string
let world: string
const open: StartedService[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'start-'))
  world = join(folder, 'world.yaml')
  writeFileSync(world, `clients: [{ client_id: lender, secret: ${secret} }]\n`)
})
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
  rmSync(folder, { recursive: true, force: true })
})

const dataOf = (name = 'data'): string => join(folder, name)

/** Starts on a folder, with small seed data at the first start. */
async function started(environment: Record<string, string> = {}): Promise<StartedService> {
  const service = await start(configOf(environment))
  open.push(service)
  return service
}

const configOf = (environment: Record<string, string>): Config =>
  readConfig([], { PORT: '0', DATA_DIR: dataOf(), ...environment }) as Config

/** A start and its end. */
async function run(environment: Record<string, string> = {}): Promise<void> {
  const service = await start(configOf(environment))
  await service.close()
}

const asProduction = { SERVICE_ENV: 'production', ENCRYPTION_KEY: key }

/** The line that a start ends with; fails if it is no expected one. */
async function errorOf(environment: Record<string, string> = {}): Promise<string> {
  const error = await run(environment).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(Error)
  expect(error).toHaveProperty('message', expect.not.stringContaining('\n'))
  return (error as Error).message
}

describe('the folder of the data', () => {
  test('is made with everything that lies above it, for its owner only', async () => {
    await run({ ...asProduction, FIXTURE: world, DATA_DIR: dataOf('a/b') })
    expect(readdirSync(dataOf('a/b'))).toContain('service.sqlite')
    expect(statSync(dataOf('a/b')).mode & 0o777).toBe(0o700)
  })

  test('is gone with those above it where the start fails', async () => {
    const taken = createServer()
    const port = await new Promise<number>((resolve) =>
      taken.listen(0, '127.0.0.1', () => resolve((taken.address() as AddressInfo).port)),
    )
    writeFileSync(world, 'clients: 1\n')
    const DATA_DIR = dataOf('a/b')
    try {
      await errorOf({ ...asProduction, DATA_DIR, FIXTURE: world })
      await errorOf({ DATA_DIR, FIXTURE: world })
      expect(await errorOf({ DATA_DIR, PORT: String(port) })).toContain('--port (PORT)')
    } finally {
      taken.close()
    }
    expect(readdirSync(folder)).toEqual(['world.yaml'])
  })

  test('is gone alone where another service has come to use the one above it', () => {
    const removeNewFolders = prepareDataFolder(dataOf('a/b'))
    mkdirSync(dataOf('a/c'))
    removeNewFolders()
    expect(readdirSync(dataOf('a'))).toEqual(['c'])
  })

  test('that was there before a start failed is left, with everything that is in it', async () => {
    await run({ ...asProduction, FIXTURE: world })
    const before = readdirSync(dataOf()).sort()
    await errorOf({})
    expect(readdirSync(dataOf()).sort()).toEqual(before)
  })

  test.each([
    ['world.yaml', 'is no folder'],
    ['world.yaml/data', 'lies below what is no folder'],
  ])('cannot be the file %s', async (name, why) => {
    const message = await errorOf({ DATA_DIR: dataOf(name) })
    expect(message).toBe(`--data (DATA_DIR): ${dataOf(name)} ${why}`)
  })

  test.runIf(existsSync('/proc/self'))('cannot be where nothing can be made', async () => {
    const message = await errorOf({ DATA_DIR: '/proc/data' })
    expect(message).toBe('--data (DATA_DIR): /proc/data cannot be made or written (ENOENT)')
  })

  test.runIf(existsSync('/proc/self'))('cannot be one that holds no files', async () => {
    const { PATH } = process.env
    const args = [join(root, 'src/server/main.ts'), '--port', '0', '--data', `/proc/${process.pid}`]
    const run = promisify(execFile)(process.execPath, args, { env: { PATH }, timeout: 20_000 })
    const { code, stderr } = await run.catch((error) => error)
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^[^\n]*\/proc\/\d+[^\n]*\n$/),
    })
  })

  test.each([
    [
      'is no database',
      'no database',
      'it is no database, or damaged: start on a backup, or choose another --data',
    ],
    [
      'is a folder',
      undefined,
      'it cannot be opened: it must be a file, and no limit of open files be met',
    ],
  ])('is rejected where its file %s', async (_, text, why) => {
    mkdirSync(dataOf())
    const file = join(dataOf(), 'service.sqlite')
    if (text === undefined) mkdirSync(file)
    else writeFileSync(file, text.repeat(100))
    expect(await errorOf(asProduction)).toBe(`${file} cannot be used: ${why}`)
  })

  test('is rejected where its file is the database of another program', async () => {
    mkdirSync(dataOf())
    const file = join(dataOf(), 'service.sqlite')
    const other = new DatabaseSync(file)
    other.exec('create table clients (name text)')
    other.close()
    expect(await errorOf(asProduction)).toBe(`${file} cannot be used: table clients already exists`)
  })
})

describe('the key', () => {
  const keyFile = () => join(dataOf(), 'encryption.key')

  test('is made once, readable by its owner only', async () => {
    await run({ FIXTURE: world })
    const text = readFileSync(keyFile(), 'utf8')
    expect(text).toMatch(/^[0-9a-f]{64}\n$/)
    expect(statSync(keyFile()).mode & 0o777).toBe(0o600)
    await run()
    expect(readFileSync(keyFile(), 'utf8')).toBe(text)
    await run({ ENCRYPTION_KEY: text })
  })

  test('must be that of the data, wherever it comes from', async () => {
    await run({ FIXTURE: world })
    const wrong = 'must be the key that the data was written with'
    expect(await errorOf({ ENCRYPTION_KEY: key })).toBe(`ENCRYPTION_KEY ${wrong}`)
    writeFileSync(keyFile(), key)
    expect(await errorOf()).toBe(`${keyFile()} ${wrong}`)
  })

  test('is not created again where it is missing', async () => {
    await run({ FIXTURE: world })
    rmSync(keyFile())
    expect(await errorOf()).toMatch(
      /encryption\.key is missing, and ENCRYPTION_KEY is not set: one of them must be the key/,
    )
    expect(existsSync(keyFile())).toBe(false)
  })

  test('is rejected by the name of its file', async () => {
    mkdirSync(dataOf())
    writeFileSync(keyFile(), 'hello')
    expect(await errorOf()).toBe(`${keyFile()} must be 32 bytes in hexadecimal or base64`)
    rmSync(keyFile())
    mkdirSync(keyFile())
    expect(await errorOf()).toBe(`${keyFile()} cannot be read`)
  })

  test.each([
    ['of one byte', '00'.repeat(32)],
    ['of one byte in base64', Buffer.alloc(32, 0xab).toString('base64')],
    ['of a part that comes again', 'deadbeef'.repeat(8)],
    ['that counts up', Buffer.from(Array.from({ length: 32 }, (_, at) => at)).toString('hex')],
    [
      'that counts down',
      Buffer.from(Array.from({ length: 32 }, (_, at) => 9 - at)).toString('hex'),
    ],
  ])('of production is none %s, unless it is the one before', async (_, ENCRYPTION_KEY) => {
    expect(await errorOf({ ...asProduction, FIXTURE: world, ENCRYPTION_KEY })).toBe(
      'ENCRYPTION_KEY must be 32 random bytes in production, such as `openssl rand -hex 32` prints; a key with a pattern that was in use goes into ENCRYPTION_KEY_PREVIOUS',
    )
    expect(existsSync(dataOf())).toBe(false)
    await run({ ENCRYPTION_KEY, MEMORY: 'true', DATA_DIR: '' })
    await run({ ...asProduction, FIXTURE: world, ENCRYPTION_KEY_PREVIOUS: ENCRYPTION_KEY })
  })

  test.each(['short', 'z'.repeat(64), `!!!!${'A'.repeat(43)}`, ' '])('is not %j', (text) => {
    expect(() => parseEncryptionKey(text)).toThrow(ConfigError)
  })

  test.each([
    key,
    Buffer.alloc(32, 251).toString('base64'),
    Buffer.alloc(32, 251).toString('base64url'),
  ])('may be %s', (text) => {
    expect(parseEncryptionKey(` ${text}\n`)).toHaveLength(32)
  })
})

describe('an address', () => {
  test('that is taken is reported with the option that chooses another', async () => {
    const { address } = await started({ ...asProduction, FIXTURE: world })
    const PORT = new URL(address).port
    const message = await errorOf({
      ...asProduction,
      FIXTURE: world,
      PORT,
      DATA_DIR: dataOf('b'),
    })
    expect(message).toMatch(/EADDRINUSE.*: choose another port with --port \(PORT\)$/)
  })

  test('that several want at once is taken by one of them', async () => {
    for (let round = 0; round < 5; round += 1) {
      const place = { port: await freePort(), host: '127.0.0.1' }
      const apps = [fastify(), fastify(), fastify()]
      const starts = apps.map(async (app, late) => {
        listenWidely(app)
        // One comes while the others are not ready yet.
        app.addHook('onReady', () => sleep(20))
        await sleep(5 * late)
        await app.listenWidely(place)
      })
      const outcomes = await Promise.allSettled(starts)
      for (const app of apps) await app.close()
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    }
  })

  test('that this machine does not have is reported, too', async () => {
    const message = await errorOf({ ...asProduction, FIXTURE: world, HOST: '192.0.2.1' })
    expect(message).toMatch(/EADDRNOTAVAIL.*: choose another host with --host \(HOST\)$/)
  })
})

describe('a service that ends', () => {
  /** A connection on which half a request has been sent. */
  async function halfRequest(
    address: string,
  ): Promise<{ socket: Socket; answer: Promise<string> }> {
    const { port, hostname } = new URL(address)
    const socket = connect(Number(port), hostname)
    const answer = new Promise<string>((resolve) => {
      const chunks: Buffer[] = []
      socket.on('data', (chunk) => chunks.push(chunk))
      socket.on('error', () => {})
      socket.on('close', () => resolve(Buffer.concat(chunks).toString()))
    })
    const head =
      'POST /wallet/list HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
    socket.write(`${head}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n`)
    // The service has the request once it asks for the rest.
    await new Promise((resolve) => socket.once('data', resolve))
    return { socket, answer }
  }

  test('answers what is under way, and then closes its connection', async () => {
    const service = await start(configOf({ ...asProduction, FIXTURE: world }))
    const { socket, answer } = await halfRequest(service.address)
    const closed = service.close()
    socket.write('{}')
    await closed
    expect(await answer).toMatch(/\r\nconnection: close\r\n/i)
    expect(await answer).toContain('"request_id"')
  })

  test('does not wait for a request that never becomes whole', async () => {
    const service = await start(configOf({ ...asProduction, FIXTURE: world }))
    const { answer } = await halfRequest(service.address)
    await service.close()
    expect(await answer).not.toContain('request_id')
  })
  test('says in one line what could not be closed, and fails', async () => {
    const failing = `
      import { DatabaseSync } from 'node:sqlite'
      DatabaseSync.prototype.close = () => { throw new Error('the disk failed') }`
    const preload = [`data:text/javascript,${encodeURIComponent(failing)}`]
    const environment = { ...asProduction, FIXTURE: world, MEMORY: '1', LOG_LEVEL: 'silent' }
    const { child, errors } = launch({ environment, preload })
    expect(await addressOf(child)).toBeDefined()
    expect(await end(child, 'SIGTERM')).toBe(1)
    expect(errors()).toBe('the service ended, but not in order: the disk failed\n')
  })
})
