import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import os, { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openSqlite } from '../../src/server/db/sqlite.ts'
import {
  type Image,
  imageFolder,
  isPrivate,
  readImage,
  writeImage,
} from '../../src/testing/image-file.ts'
import { findImage, keepImage, placeOf } from '../../src/testing/world-image.ts'

let folder: string
const outside = process.env['TMPDIR']

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'images-'))
  process.env['TMPDIR'] = folder
})

afterEach(() => {
  if (outside === undefined) delete process.env['TMPDIR']
  else process.env['TMPDIR'] = outside
  rmSync(folder, { recursive: true })
})

const noon = Date.parse('2026-03-16T12:00:00Z')
const wish = { fixture: undefined, seed: undefined, fixtureDate: undefined }

const imageOf = (text: string, from = Date.now()): Image => ({
  bytes: Buffer.from(text),
  key: Buffer.alloc(32, 7),
  from,
  until: from + 1000,
})

describe('an image in a file', () => {
  test('is read as it was written', async () => {
    const file = join(folder, 'a.image')
    await writeImage(file, imageOf('a world\nof two lines'))
    expect(Buffer.from(readImage(file)?.bytes ?? []).toString()).toBe('a world\nof two lines')
    expect(readImage(file)?.key).toEqual(Buffer.alloc(32, 7))
  })

  test('is for its owner only, and leaves nothing half-written beside it', async () => {
    await writeImage(join(folder, 'a.image'), imageOf('a world'))
    expect(statSync(join(folder, 'a.image')).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['a.image'])
  })

  test('is not used when a byte differs, is missing or came on top', async () => {
    const file = join(folder, 'a.image')
    await writeImage(file, imageOf('a world'))
    const whole = readFileSync(file)
    const cases = [
      Buffer.concat([whole.subarray(0, -1), Buffer.from('D')]),
      whole.subarray(0, -1),
      Buffer.concat([whole, Buffer.from('.')]),
      Buffer.from(whole.toString('latin1').replace('image 1', 'image 0'), 'latin1'),
      Buffer.alloc(0),
      Buffer.alloc(5000, 'a'),
    ]
    const read = cases.map((content) => {
      writeFileSync(file, content)
      return readImage(file)
    })
    expect(read).toEqual(cases.map(() => undefined))
  })

  test('is missed without a word where it cannot be written', async () => {
    await writeImage(join(folder, 'nowhere', 'a.image'), imageOf('a world'))
    expect(readImage(join(folder, 'nowhere', 'a.image'))).toBeUndefined()
  })
})

describe('the folder of images', () => {
  test('is made for its owner only', () => {
    const made = imageFolder()
    expect(made).toContain(folder)
    expect(statSync(made ?? '').mode & 0o777).toBe(0o700)
  })

  test('is not used when others can write to it', () => {
    const made = imageFolder() ?? ''
    chmodSync(made, 0o777)
    expect(imageFolder()).toBeUndefined()
  })

  test('is not used when it belongs to somebody else', () => {
    const { uid } = userInfo()
    expect(isPrivate(folder, uid)).toBe(true)
    expect(isPrivate(folder, uid + 1)).toBe(false)
  })

  test('is there for a user without an account, as a container may have', () => {
    const withoutAccount = vi.spyOn(os, 'userInfo').mockImplementation(() => {
      throw new Error('uv_os_get_passwd returned ENOENT')
    })
    syncBuiltinESMExports()
    try {
      expect(imageFolder()).toContain(folder)
    } finally {
      withoutAccount.mockRestore()
      syncBuiltinESMExports()
    }
  })

  test('is not used when it is a link to another place', () => {
    const made = imageFolder() ?? ''
    rmSync(made, { recursive: true })
    mkdirSync(join(folder, 'theirs'), { mode: 0o700 })
    symlinkSync(join(folder, 'theirs'), made)
    expect(imageFolder()).toBeUndefined()
  })
})

describe('the image of the seed data', () => {
  // An image serves for the rest of its day, which may be short just before midnight.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: noon + 86_400_000 })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('is found again until the day is over', async () => {
    const place = placeOf(wish)
    if (!place) throw new Error('there is no place for images')
    const from = Date.now()
    await keepImage(place, imageOf('today', from), null)
    expect(findImage(place, from)).toBeDefined()
    expect(findImage(place, from + 86_400_000)).toBeUndefined()
  })

  test('is not used before it was made, as a clock that was set back would have it', async () => {
    const place = placeOf(wish)
    if (!place) throw new Error('there is no place for images')
    await keepImage(place, imageOf('now'), null)
    expect(findImage(place, Date.now() - 60_000)).toBeUndefined()
  })

  test('is not used once some of its work is due', async () => {
    const place = placeOf(wish)
    if (!place) throw new Error('there is no place for images')
    const from = Date.now()
    await keepImage(place, imageOf('with work', from), from + 5000)
    expect(findImage(place, from + 4999)).toBeDefined()
    expect(findImage(place, from + 5000)).toBeUndefined()
  })

  test('is not kept when it was made on the day before', async () => {
    const place = placeOf({ ...wish, seed: 'yesterday' })
    if (!place) throw new Error('there is no place for images')
    await keepImage(place, imageOf('yesterday', noon), null)
    expect(readdirSync(place.folder)).toEqual([])
  })

  test('belongs to one fixture, seed and date', () => {
    const fixture = { name: 'world.yaml', text: 'seed: a' }
    const wishes = [
      wish,
      { ...wish, seed: 'a' },
      { ...wish, fixtureDate: '2026-03-16' },
      { ...wish, fixture },
      { ...wish, fixture: { ...fixture, text: 'seed: b' } },
    ]
    expect(new Set(wishes.map((one) => placeOf(one)?.name)).size).toBe(wishes.length)
    expect(placeOf({ ...wish, fixture: { ...fixture, name: 'other.yaml' } })?.name).toBe(
      placeOf({ ...wish, fixture })?.name,
    )
  })
})

describe('the embedded store', () => {
  test('is what its image was, whatever was prepared or written before', async () => {
    const database = openSqlite(':memory:')
    const count = () => database.single.first<{ n: number }>('select count(*) as n from notes')
    const write = (text: string) =>
      database.transaction(({ run }) => run('insert into notes (text) values ($1)', [text]))
    await database.exclusive(({ run }) => run('create table notes (text text not null)'))
    await write('before')
    const image = await database.image()
    await Promise.all([write('after'), write('after')])
    expect(await count()).toEqual({ n: 3 })
    await database.load(image)
    expect(await count()).toEqual({ n: 1 })
    await write('again')
    expect(await count()).toEqual({ n: 2 })
    await database.close()
  })
})
