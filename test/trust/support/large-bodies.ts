import {
  eachExample,
  eachOperation,
  readBundle,
  requestSchema,
  written,
} from '../../../scripts/contract/contract.ts'
import { type Path, places, replace } from '../../../src/conform/places.ts'
import type { AnyOperationId } from '../../../src/server/kernel/operation.ts'

const length = 1024 * 1024 - 4096

/** As many of these as fit, with commas between them. */
function many(make: (index: number) => string): string {
  const all: string[] = []
  for (let left = length, index = 0; left > 0; index += 1) {
    const one = make(index)
    all.push(one)
    left -= one.length + 1
  }
  return all.join()
}

const keys = (count: number, prefix = 'k'): string =>
  `{${Array.from({ length: count }, (_, index) => `"${prefix}${index}":0`).join()}}`

const text = (unit: string): string =>
  `"${unit.repeat(Math.floor(length / Math.max(unit.length, 1)))}"`

const deep = (open: string, inner: string, close: string, levels: number): string =>
  open.repeat(levels) + inner + close.repeat(levels)

/** Values of JSON of nearly 1 MiB, by what they are. */
const fillings: Readonly<Record<string, () => string>> = {
  'unknown keys': () => `{${many((index) => `"k${index}":0`)}}`,
  'objects of 9,900 unknown keys': () => `[${many(() => keys(9900))}]`,
  'objects of 1,000 unknown keys': () => `[${many((index) => keys(1000, `k${index}_`))}]`,
  'objects of 10 keys': () => `[${many(() => keys(10))}]`,
  'objects of keys of their own': () => `[${many((index) => keys(5, `k${index}_`))}]`,
  'objects with a key that comes twice at the end': () =>
    `[${many(() => `${keys(9900).slice(0, -1)},"k1":0}`)}]`,
  'empty objects': () => `[${many(() => '{}')}]`,
  'empty lists': () => `[${many(() => '[]')}]`,
  numbers: () => `[${many((index) => String(index))}]`,
  'one number many times': () => `[${many(() => '0')}]`,
  texts: () => `[${many((index) => `"t${index}"`)}]`,
  'one text many times': () => `[${many(() => '"a"')}]`,
  'empty texts': () => `[${many(() => '""')}]`,
  nulls: () => `[${many(() => 'null')}]`,
  'lists in lists without end': () => '['.repeat(length),
  'objects in objects without end': () => '{"a":'.repeat(length / 5),
  'lists of 90 levels': () => `[${many(() => deep('[', '', ']', 90))}]`,
  'objects of 90 levels': () => `[${many(() => deep('{"a":', '0', '}', 90))}]`,
  'a long text': () => text('a'),
  'a long text in another script': () => text('é'),
  'a long text of escapes': () => text('\\u0041'),
  'a long text of pairs': () => text('\\ud83d\\ude00'),
  'a long number': () => '1'.repeat(length),
  'a long key': () => `{${text('k')}:0}`,
  'long keys': () => `{${many((index) => `"${'k'.repeat(1000)}${index}":0`)}}`,
  'keys of escapes': () =>
    `[${many(() => '{"\\u0061":0,"\\u0062":0,"\\u0063":0,"\\u0064":0,"\\u0065":0}')}]`,
  spaces: () => `[${' '.repeat(length)}]`,
  'texts that begin well': () => `["access-sandbox-${'a'.repeat(length)}!"]`,
  'a long address': () => `"https://a.example/${'a/'.repeat(length / 2)} "`,
  'a long e-mail address': () => `"a@${'a.'.repeat(length / 2)}"`,
  'a long date': () => text('2026-'),
  'a long list of digits': () => text('1 '),
}

interface Spot {
  operationId: AnyOperationId
  /** The body with a mark in one place. */
  marked: string
  at: string
}

const mark = 'the-large-value'

/** Every place of the examples of every request, and one of a field that no request has. */
function spots(): Spot[] {
  const found = new Map<string, Spot>()
  for (const document of written) {
    const contract = readBundle(document)
    const operations = eachOperation(contract).map(({ operation }) => operation)
    for (const { place, operationId, value, mediaType } of eachExample(contract)) {
      if (!place.endsWith(' request') || mediaType !== 'application/json') continue
      const schema = requestSchema(operations.find((one) => one.operationId === operationId)!)
      const all = places(contract, schema, value).map(({ path }): [Path, unknown] => [
        path,
        replace(value, path, mark),
      ])
      all.push([['unknown'], { ...(value as object), unknown: mark }])
      for (const [path, body] of all) {
        const at = path.map((key) => (typeof key === 'number' ? '[]' : key)).join('.')
        const marked = JSON.stringify(body)
        const spot = { operationId: operationId as AnyOperationId, at, marked }
        const key = `${operationId} ${at}`
        if (!found.has(key)) found.set(key, spot)
      }
    }
  }
  return [...found.values()]
}

/** A body of nearly 1 MiB, by its operation and by what stands where. */
export interface LargeBody {
  operationId: AnyOperationId
  name: string
  make(): string
}

/** Everything large at every place. */
export function largeBodies(): LargeBody[] {
  return spots().flatMap(({ operationId, at, marked }) =>
    Object.entries(fillings).map(([filling, make]) => ({
      operationId,
      name: `${operationId}: ${filling} at ${at || 'the top'}`,
      make: () => marked.replace(`"${mark}"`, make),
    })),
  )
}
