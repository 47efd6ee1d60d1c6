// Checks of the form of a value, for files that people write by hand.

/** What is wrong, and the way to the place. */
export interface Mistake {
  way: readonly (string | number)[]
  words: string
}

/** Tells the mistakes of a value; `name` is how messages call it. */
export type Form = (value: unknown, way?: Mistake['way']) => Mistake[]

const nameOf = (way: Mistake['way']): string =>
  way.length === 0 ? 'the file' : `\`${way.join('.')}\``

const must = (expected: string, isRight: (value: unknown) => boolean): Form => {
  return (value, way = []) =>
    isRight(value) ? [] : [{ way, words: `${nameOf(way)} must be ${expected}` }]
}

export const text: Form = must('a text', (value) => typeof value === 'string' && value !== '')
export const packageName: Form = must(
  'a package name, such as example-client or @example/client',
  (value) => typeof value === 'string' && /^(@[a-z\d][\w.-]*\/)?[a-z\d][\w.-]*$/.test(value),
)
export const truth: Form = must('true or false', (value) => typeof value === 'boolean')

export const oneOf = (values: readonly string[]): Form =>
  must(`one of ${values.join(', ')}`, (value) => values.some((one) => one === value))

export const list =
  (each: Form): Form =>
  (value, way = []) =>
    Array.isArray(value)
      ? value.flatMap((part, index) => each(part, [...way, index]))
      : [{ way, words: `${nameOf(way)} must be a list` }]

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An object whose keys are names that the file chooses. */
export const mapOf =
  (each: Form): Form =>
  (value, way = []) =>
    isObject(value)
      ? Object.entries(value).flatMap(([key, part]) => each(part, [...way, key]))
      : [{ way, words: `${nameOf(way)} must be an object` }]

/** An object with these fields and no others. */
export const object =
  (fields: Readonly<Record<string, Form>>, required: readonly string[] = []): Form =>
  (value, way = []) => {
    if (!isObject(value)) return [{ way, words: `${nameOf(way)} must be an object` }]
    const missing = required.filter((name) => value[name] === undefined)
    return [
      ...missing.map((name) => ({ way, words: `${nameOf([...way, name])} is missing` })),
      ...Object.entries(value).flatMap(([name, part]) => {
        const form = fields[name]
        if (form) return form(part, [...way, name])
        const words = `${nameOf([...way, name])} is unknown; known are ${Object.keys(fields).join(', ')}`
        return [{ way: [...way, name], words }]
      }),
    ]
  }
