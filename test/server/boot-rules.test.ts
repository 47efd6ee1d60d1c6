import { describe, expect, test } from 'vitest'
import { rejectWrongClock } from '../../src/server/boot/check-clock.ts'
import { createRereading, type Reread } from '../../src/server/boot/rereading.ts'
import { findEncryptionKey } from '../../src/server/config/find-encryption-key.ts'
import { ConfigError } from '../../src/server/config/read-option.ts'
import { isWeakSecret, repeatsItself } from '../../src/server/config/weak-secret.ts'
import { productionKey } from '../support/production-key.ts'

// Rules of a start that need no service.

describe('a secret', () => {
  const random = 'q7Jv0ZsXk2Lw9RtYb4NcHd6GfUe1PaMo'

  test.each([
    ['is long enough', random],
    ['has six different characters', `${'ab1cd2'.repeat(5)}2badc11ab`],
    ['is in order for less than three quarters', 'abcdefghijklmnopqrstuvwxQAZWSXEH'],
    ['is repeated by a half and one more character', `${random}${random.slice(1)}`],
  ])('can be used: it %s', (_case, secret) => {
    expect(isWeakSecret(secret)).toBe(false)
  })

  test.each([
    ['is short', random.slice(1)],
    ['has five different characters', 'abadc1bdacdbdab1acb1dca1bdcdab1d'],
    ['repeats itself', random.slice(0, 16).repeat(2)],
    ['repeats one character', 'x'.repeat(40)],
    ['holds a word', `${random.slice(8)}ChangeMe`],
    ['holds a row of a keyboard', `qwerty${random}`],
    ['counts up', 'abcdefghijklmnopqrstuvwxyzABCDEFG'],
    ['counts down', 'zyxwvutsrqponmlkjihgfedcba9876543'],
    ['is in order for three quarters', 'abcdefghijklmnopqrstuvwxyQAZWSXEH'],
  ])('is weak: it %s', (_case, secret) => {
    expect(isWeakSecret(secret)).toBe(true)
  })

  test('repeats itself by a part of at most its half', () => {
    expect(['aa', 'abab', 'aba', 'ababa'].map(repeatsItself)).toEqual([true, true, false, true])
    expect(['', 'a', 'ab', 'abca'].map(repeatsItself)).toEqual([false, false, false, false])
  })
})

describe('the key of the data', () => {
  const config = {
    encryptionKey: undefined,
    previousKeys: undefined,
    data: undefined,
    environment: 'sandbox' as const,
  }

  test('is the given one', () => {
    const { key, name, previous } = findEncryptionKey({ ...config, encryptionKey: productionKey })
    expect([Buffer.from(key).toString('base64'), name]).toEqual([
      Buffer.from(productionKey, /^[0-9a-f]{64}$/.test(productionKey) ? 'hex' : 'base64').toString(
        'base64',
      ),
      'ENCRYPTION_KEY',
    ])
    expect(previous).toEqual([])
  })

  test('may have a pattern in the sandbox only', () => {
    const weak = { ...config, encryptionKey: '00'.repeat(32) }
    expect(findEncryptionKey(weak).key).toHaveLength(32)
    expect(() => findEncryptionKey({ ...weak, environment: 'production' })).toThrow(ConfigError)
  })

  test('is new each time for data in memory', () => {
    const [one, other] = [findEncryptionKey(config), findEncryptionKey(config)]
    expect(one).toMatchObject({ previous: [], name: 'ENCRYPTION_KEY' })
    expect(one.key).toHaveLength(32)
    expect(Buffer.from(one.key).equals(other.key)).toBe(false)
    expect(one.keep()).toBeUndefined()
  })
})

describe('a file that is read again', () => {
  function rereading(...reads: (() => void)[]) {
    const told: unknown[][] = []
    const actors: string[] = []
    const subjects = reads.map(
      (read, index): Reread => ({
        name: `files ${index}`,
        check: `check ${index}`,
        async read(actor) {
          actors.push(`${actor} ${index}`)
          read()
        },
      }),
    )
    const log = { error: (...words: unknown[]) => void told.push(words) }
    const { again, stop } = createRereading(subjects, log, (message) => void told.push([message]))
    return { again, stop, told, actors }
  }
  const rejected = (message: string) => () => {
    throw new ConfigError(message)
  }

  test('is read for each option, one after the other', async () => {
    const { again, told, actors } = rereading(
      () => {},
      () => {},
    )
    again('a')
    await again('b')
    expect([actors, told]).toEqual([['a 0', 'a 1', 'b 0', 'b 1'], []])
  })

  test('and is wrong leaves what was read, and is told by its first mistake', async () => {
    const { again, told, actors } = rereading(rejected('one'), rejected('one\ntwo\nthree'))
    await again('a')
    expect(actors).toHaveLength(2)
    expect(told).toEqual([
      ['the files 0 stay as they were, since the file cannot be used: one'],
      [
        'the files 1 stay as they were, since the file cannot be used: one (and more: `check 1` prints them)',
      ],
    ])
  })

  test('and fails in another way is told with the cause', async () => {
    const cause = new Error('away')
    const { again, told } = rereading(() => {
      throw cause
    })
    await again('a')
    expect(told).toEqual([[cause, 'the files 0 were not read again']])
  })

  test('is not read after the end of the service', async () => {
    const { again, stop, actors } = rereading(() => {})
    await again('a')
    await stop()
    await again('b')
    expect(actors).toEqual(['a 0'])
  })
})

test('a wrong clock is told with both times', () => {
  const lastUsed = Date.parse('2026-03-16T12:00:00Z')
  const day = 86_400_000
  for (const environment of ['sandbox', 'production'] as const) {
    expect(() => rejectWrongClock(lastUsed, undefined, environment)).not.toThrow()
    expect(() => rejectWrongClock(lastUsed + 1000, lastUsed, environment)).not.toThrow()
    expect(() => rejectWrongClock(lastUsed - 400 * day, lastUsed, environment)).toThrow(
      /^the clock says 2025-02-09T12:00:00Z, .+ the data was last used \(2026-03-16T12:00:00Z\): set it right, or start once with --accept-clock \(ACCEPT_CLOCK\)$/,
    )
  }
})
