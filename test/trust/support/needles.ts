/** Something that must not be found, and what it is. */
export interface Needle {
  name: string
  value: string | Uint8Array
}

/** The ways in which a value can be written down. */
const spellings: Record<string, (value: Buffer) => (Buffer | string)[]> = {
  plain: (value) => [value],
  hex: (value) => [value.toString('hex'), value.toString('hex').toUpperCase()],
  base64: (value) => inBase64(value),
  base64url: (value) =>
    inBase64(value).map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  percent: (value) => [encodeURIComponent(value.toString())],
  json: (value) => [JSON.stringify(JSON.stringify(value.toString())).slice(3, -3)],
  utf16: (value) => [Buffer.from(value.toString(), 'utf16le')],
}

/** What a value's bytes become within base64, wherever they begin in it, but for its edges. */
function inBase64(value: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), value])
      .toString('base64')
      .replace(/=+$/, '')
    const first = Math.ceil((before * 4) / 3)
    const last = (value.length + before) % 3 === 0 ? text.length : text.length - 1
    return text.slice(first, last)
  })
}

/** A value as it is written in every way. */
export const writtenAs = (value: string | Uint8Array): [way: string, written: Buffer][] =>
  Object.entries(spellings).flatMap(([way, write]) =>
    write(Buffer.from(value as string)).map((one): [string, Buffer] => [
      way,
      Buffer.from(one as string),
    ]),
  )

/** Finds any of many values in any of their spellings, in one pass over the bytes. */
export function createSearch(needles: readonly Needle[]): (bytes: Buffer) => string[] {
  const beginnings = new Map<number, { name: string; written: Buffer }[]>()
  const isBeginning = new Uint8Array(65_536)
  for (const { name, value } of needles) {
    for (const [way, written] of writtenAs(value)) {
      const key = written.readUInt32BE(0)
      isBeginning[key >>> 16] = 1
      beginnings.set(key, [...(beginnings.get(key) ?? []), { name: `${name}, ${way}`, written }])
    }
  }
  return (bytes) => {
    const found = new Set<string>()
    for (let place = 0; place + 4 <= bytes.length; place += 1) {
      if (isBeginning[((bytes[place] as number) << 8) | (bytes[place + 1] as number)] === 0)
        continue
      for (const { name, written } of beginnings.get(bytes.readUInt32BE(place)) ?? []) {
        const end = place + written.length
        if (written.compare(bytes, place, Math.min(end, bytes.length)) === 0) found.add(name)
      }
    }
    return [...found]
  }
}
