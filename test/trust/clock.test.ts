import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../scripts/contract.ts'
import { isServerThere } from '../support/postgres-server.ts'
import { startReceiver } from '../support/receiver.ts'
import { findBrokenByJump } from './support/clock-jump.ts'
import { canTry, report } from './support/report.ts'
import { atScale } from './support/scale.ts'
import { createScene } from './support/trial-scene.ts'
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
