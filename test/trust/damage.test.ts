import {
  appendFileSync,
  cpSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createRandom } from './support/random.ts'
import { report } from './support/report.ts'
import { atScale } from './support/scale.ts'
import { createScene } from './support/trial-scene.ts'

const damages = atScale({ quick: 4, normal: 60, long: 250 })
const timeout = 60_000 + 5000 * damages

const { folder, started, lineOf } = createScene()

describe('a second process', () => {
  test('on a folder in use is rejected, and takes over once the first is dead', {
    timeout,
  }, async () => {
    const { environment } = folder()
    const first = await started(environment)
    expect(await lineOf(environment)).toMatch(/in use by another process; stop it, or choose/)
    const { body } = await first.post('/wallet/create', { iso_currency_code: 'EUR' })
    await first.kill()
    const begun = performance.now()
    const second = await started(environment)
    const found = await second.post('/wallet/get', { wallet_id: body['wallet_id'] })
    expect(found.status).toBe(200)
    report('a second process on the embedded store is refused; after a kill it takes over', {
      taken_over_after_ms: Math.round(performance.now() - begun),
    })
  })
})

describe('a damaged file', () => {
  test('is rejected in one line, or harms nothing that a start needs', { timeout }, async () => {
    const random = createRandom('damage')
    const whole = folder()
    const service = await started(whole.environment)
    await service.post('/wallet/create', { iso_currency_code: 'EUR' })
    await service.stop()
    const size = statSync(join(whole.folder, 'service.sqlite')).size
    const flip = (at: number, length: number) => (file: string) => {
      const bytes = readFileSync(file)
      for (let place = at; place < at + length; place += 1)
        bytes[place] = ~(bytes[place] ?? 0) & 255
      writeFileSync(file, bytes)
    }
    const certain = [
      flip(0, 16),
      flip(18, 2),
      flip(100, 300),
      (file: string) => truncateSync(file, size >> 1),
      (file: string) => truncateSync(file, 100),
    ]
    const page = () => 4096 * random.between(1, Math.floor(size / 4096) - 1)
    const chance = Array.from({ length: damages }, () =>
      random.between(0, 1) === 0 ? flip(page(), 64) : flip(random.between(100, size - 600), 512),
    )
    const found = { refused: 0, started: 0 }
    const lines = new Set<string>()
    for (const [index, damage] of [...certain, ...chance].entries()) {
      const copy = folder()
      cpSync(whole.folder, copy.folder, { recursive: true })
      damage(join(copy.folder, 'service.sqlite'))
      const line = await startDamaged(copy.environment)
      if (index < certain.length) expect(line).toMatch(/damaged/)
      if (line === undefined) found.started += 1
      else found.refused += 1
      if (line !== undefined) lines.add(line.replace(/^\S+ /, ''))
      await copy.remove()
    }
    report('a damaged database file is refused in one line that says what to do', found)
    for (const line of lines) expect(line).toMatch(/start on a backup|key that the data/)
    expect(found.refused).toBeGreaterThan(certain.length)
  })

  /** The one line of an error; undefined where it started, and answers by the contract. */
  async function startDamaged(environment: Record<string, string>): Promise<string | undefined> {
    const service = await started(environment).catch((error: Error) => error.message)
    if (typeof service === 'string') {
      const told = service.replace('the service did not start: ', '').trim()
      expect(told.split('\n')).toHaveLength(1)
      return told
    }
    for (const path of ['/wallet/list', '/sandbox/webhook/list', '/dashboard_user/list']) {
      expect([200, 500]).toContain((await service.post(path, {})).status)
    }
    await service.kill()
    return undefined
  }

  test('of a log that ends in garbage loses nothing that was acknowledged', {
    timeout,
  }, async () => {
    const store = folder()
    const service = await started(store.environment)
    const { body } = await service.post('/wallet/create', { iso_currency_code: 'EUR' })
    await service.kill()
    const log = join(store.folder, 'service.sqlite-wal')
    const log_bytes = statSync(log).size
    appendFileSync(log, Buffer.alloc(10_000, 0xa5))
    const garbage_bytes = statSync(log).size - log_bytes
    const again = await started(store.environment)
    const found = await again.post('/wallet/get', { wallet_id: body['wallet_id'] })
    expect(found.status).toBe(200)
    report('garbage at the end of the log is passed over', { log_bytes, garbage_bytes })
  })
})
