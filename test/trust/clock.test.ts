import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { isServerThere } from '../support/postgres-server.ts'
import { startReceiver } from '../support/receiver.ts'
import { findBrokenByJump } from './support/clock-jump.ts'
import { canTry, report } from './support/report.ts'
import { atScale } from './support/scale.ts'
import { createScene } from './support/trial-scene.ts'
import { errorOf } from './support/trial-service.ts'
import { createServerDatabase } from './support/trial-store.ts'

const timeout = 300_000

const { atEnd, folder, started } = createScene()

describe('a clock that is set back, and one that runs ahead', () => {
  const hour = 3_600_000
  const jumps = atScale({
    quick: [hour],
    // By less than the day that a webhook is tried for: one whose day is over is given up.
    normal: [hour, 20 * hour, -20 * hour],
    long: [60_000, hour, 20 * hour, -hour, -20 * hour],
  })

  test.each(['SQLite', 'PostgreSQL'])(
    'on %s loses nothing, and nothing happens twice',
    {
      timeout,
    },
    async (engine) => {
      const isHere = engine === 'SQLite' || (await isServerThere())
      if (!canTry(isHere, 'no PostgreSQL answers')) return
      const preload = [join(root, 'test/trust/support/moved-clock.ts')]
      for (const jump of jumps) {
        const store = engine === 'SQLite' ? folder() : await createServerDatabase()
        if (engine !== 'SQLite') atEnd(store.remove)
        const own = await startReceiver()
        atEnd(own.close)
        const service = await started(store.environment, { preload })
        expect(await findBrokenByJump(service, own, jump)).toEqual([])
        await service.kill()
      }
      report(`a clock that jumps: tokens, cursors, work and webhooks go on, on ${engine}`, {
        jumps: jumps.length,
        furthest_hours: Math.round(Math.max(...jumps) / hour),
      })
    },
  )
})

describe('a clock that is wrong at a start', () => {
  const hour = 3_600_000
  const preload = [join(root, 'test/trust/support/moved-clock.ts')]
  const line =
    /^the clock says .*: set it right, or start once with --accept-clock \(ACCEPT_CLOCK\)$/
  const kinds = atScale({
    quick: ['SQLite'],
    normal: ['SQLite', 'PostgreSQL'],
    long: ['SQLite', 'PostgreSQL'],
  })

  test.each(kinds)(
    'by a day or more ends it in one line on %s, and changes nothing',
    {
      timeout,
    },
    async (engine) => {
      const isHere = engine === 'SQLite' || (await isServerThere())
      if (!canTry(isHere, 'no PostgreSQL answers')) return
      const store = engine === 'SQLite' ? folder() : await createServerDatabase()
      if (engine !== 'SQLite') atEnd(store.remove)
      const startAt = (offset: number, more = {}) => {
        const environment = { ...store.environment, CLOCK_OFFSET_MS: String(offset), ...more }
        return { environment, preload }
      }
      const run = async (offset: number, more = {}) => {
        const { environment } = startAt(offset, more)
        const service = await started(environment, { preload })
        const { status } = await service.post('/wallet/list', {})
        expect(await service.stop()).toBe(0)
        expect(status).toBe(200)
      }
      await run(0)
      const refusals = [-25 * hour, -400 * 24 * hour]
      for (const offset of refusals) {
        const { code, errors } = await errorOf(startAt(offset))
        expect([code, errors.trim()]).toEqual([1, expect.stringMatching(line)])
      }
      // A sandbox may be years old; from then on that is when it was last used.
      await run(-20 * hour)
      await run(400 * 24 * hour)
      expect((await errorOf(startAt(0))).errors.trim()).toMatch(line)
      await run(0, { ACCEPT_CLOCK: 'true' })
      await run(0)
      report(`a start by a clock a day behind the data ends in one line on ${engine}`, {
        refused: refusals.length + 1,
      })
    },
  )
})
