import { describe, expect, test } from 'vitest'
import { createDrainBarrier } from '../../src/server/boot/drain-barrier.ts'

/** Work that goes on until it is ended. */
function startWork() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { work: () => promise, end: resolve }
}

describe('a drain barrier', () => {
  test('runs work while it is open, and returns its outcome', async () => {
    const barrier = createDrainBarrier()
    expect(await barrier.run(async () => 'in')).toBe('in')
    await expect(barrier.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    await barrier.drained()
  })

  test('is drained once the last work has ended', async () => {
    const barrier = createDrainBarrier()
    const log: string[] = []
    const [one, other] = [startWork(), startWork()]
    const passing = [barrier.run(one.work), barrier.run(other.work)]
    barrier.close()
    const emptied = barrier.drained().then(() => log.push('empty'))
    one.end()
    await passing[0]
    log.push('one')
    other.end()
    await Promise.all([passing[1]?.then(() => log.push('other')), emptied])
    expect(log[0]).toBe('one')
    expect(log).toHaveLength(3)
  })

  test('delays work while it is closed, also when it is closed again', async () => {
    const barrier = createDrainBarrier()
    const log: string[] = []
    barrier.close()
    const waiting = barrier.run(async () => log.push('in'))
    await barrier.drained()
    barrier.open()
    barrier.close()
    await Promise.resolve()
    await Promise.resolve()
    log.push('still closed')
    barrier.open()
    await waiting
    expect(log).toEqual(['still closed', 'in'])
  })
})
