import { describe, expect, test } from 'vitest'
import { createGate } from '../../src/server/boot/gate.ts'

/** Work that goes on until it is told to end. */
function startWork() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { work: () => promise, end: resolve }
}

describe('a gate', () => {
  test('lets in whoever comes, and gives the outcome', async () => {
    const gate = createGate()
    expect(await gate.pass(async () => 'in')).toBe('in')
    await expect(gate.pass(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    await gate.empty()
  })

  test('is empty once the last one has left', async () => {
    const gate = createGate()
    const log: string[] = []
    const [one, other] = [startWork(), startWork()]
    const passing = [gate.pass(one.work), gate.pass(other.work)]
    gate.close()
    const emptied = gate.empty().then(() => log.push('empty'))
    one.end()
    await passing[0]
    log.push('one')
    other.end()
    await Promise.all([passing[1]?.then(() => log.push('other')), emptied])
    expect(log[0]).toBe('one')
    expect(log).toHaveLength(3)
  })

  test('keeps others outside while it is closed, also once it is closed again', async () => {
    const gate = createGate()
    const log: string[] = []
    gate.close()
    const waiting = gate.pass(async () => log.push('in'))
    await gate.empty()
    gate.open()
    gate.close()
    await Promise.resolve()
    await Promise.resolve()
    log.push('still closed')
    gate.open()
    await waiting
    expect(log).toEqual(['still closed', 'in'])
  })
})
