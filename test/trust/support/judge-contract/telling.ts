type Json = Record<string, unknown>

// Beyond so many, the values of a place are no list of values but free text.
const manyValues = 200

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A kind of value per place; of texts, which text, as long as there are few of them. */
const featuresOf = (value: unknown, path = ''): string[] => {
  if (Array.isArray(value)) {
    const size = `${path} count ${Math.min(value.length, 3)}`
    return [size, ...value.flatMap((item) => featuresOf(item, `${path}[]`))]
  }
  if (isObject(value)) {
    const keys = `${path} keys ${Object.keys(value).sort().join(' ')}`
    return [keys, ...Object.entries(value).flatMap(([key, of]) => featuresOf(of, `${path}.${key}`))]
  }
  if (typeof value === 'number') return [`${path} ${numberKind(value)}`]
  return [`${path} ${typeof value === 'string' ? `"${textKind(value)}` : String(value)}`]
}

/** A word is itself; of ids, dates and amounts one is like the other. */
const textKind = (text: string): string =>
  /\d/.test(text) && text.length > 6
    ? text.replaceAll(/[\p{L}\p{N}]+/gu, 'w').slice(0, 60)
    : text.slice(0, 60)

const numberKind = (value: number): string =>
  `${Math.sign(value)} ${Number.isInteger(value) ? 'integer' : 'number'}`

/** Remembers the messages so far, and keeps only new ones. */
interface Listener {
  /** The message without the elements of lists that tell nothing new; undefined when none of it does. */
  hear(subject: string, message: unknown): unknown
}

export function createListener(): Listener {
  const known = new Map<string, Set<string>>()

  function isNews(subject: string, features: readonly string[]): boolean {
    const before = features.length
    const news = features.filter((feature) => {
      const place = feature.slice(0, feature.indexOf(' '))
      const key = `${subject} ${place}`
      const kinds = known.get(key) ?? new Set()
      known.set(key, kinds)
      if (feature.includes(' "') && kinds.size >= manyValues) return false
      return !kinds.has(feature) && kinds.add(feature)
    })
    return before > 0 && news.length > 0
  }

  function shorten(subject: string, value: unknown, path = ''): unknown {
    if (Array.isArray(value)) {
      const kept = value.filter((item, index) => {
        return index < 2 || isNews(subject, featuresOf(item, `${path}[]`))
      })
      return kept.map((item) => shorten(subject, item, `${path}[]`))
    }
    if (!isObject(value)) return value
    const entries = Object.entries(value)
    return Object.fromEntries(
      entries.map(([key, part]) => [key, shorten(subject, part, `${path}.${key}`)]),
    )
  }

  return {
    hear(subject, message) {
      const short = shorten(`${subject} elements`, message)
      return isNews(subject, featuresOf(short)) ? short : undefined
    },
  }
}
