import { currencyInName, type Shape, shapes } from './built-in.ts'

/** The columns of a file by the names that shapes give them. */
export interface FoundShape {
  shape: Shape
  /** The column of each name of the shape that the header has. */
  columns: ReadonlyMap<string, Column>
  /** The currency that stands in a name such as `Amount (EUR)`. */
  currency: string | undefined
}

export type Column = string | number

const plain = (name: string): string =>
  name.normalize('NFC').trim().toLowerCase().replace(/\s+/g, ' ')

/** The columns that a shape knows, and whether each has to be there. */
function known({ optional = [], others = [], ...shape }: Shape): Map<string, boolean> {
  const { amount, account, references = {} } = shape
  const names = [
    shape.date,
    shape.value_date,
    ...('column' in amount ? [amount.column] : [amount.in, amount.out]),
    'indicator' in amount ? amount.indicator : undefined,
    ...shape.description,
    shape.counterparty,
    shape.id,
    shape.currency,
    account?.id,
    account?.bank_id,
    shape.balance,
    ...Object.values(references),
    ...others,
  ]
  const present = names.filter((name) => name !== undefined)
  return new Map(present.map((name) => [name, !optional.includes(name)]))
}

/** The shapes that a header row fits. */
export const fittingShapes = (header: readonly string[]): FoundShape[] =>
  shapes.map((shape) => match(shape, header)).filter((found) => found !== undefined)

function match(shape: Shape, header: readonly string[]): FoundShape | undefined {
  const names = known(shape)
  const columns = new Map<string, Column>()
  let currency: string | undefined
  for (const [index, written] of header.entries()) {
    const whole = plain(written)
    if (whole === '') continue
    const inName = currencyInName.exec(written.trim())?.[1]
    const name = names.has(whole) ? whole : plain(written.trim().replace(currencyInName, ''))
    if (!names.has(name)) return undefined
    // Nobody knows which of two amounts or dates counts.
    if (columns.has(name) && decisive(shape).includes(name)) return undefined
    if (name !== whole) currency ??= inName?.toUpperCase()
    if (!columns.has(name)) columns.set(name, isTwice(written, header) ? index + 1 : written.trim())
  }
  const missing = [...names].some(([name, isNeeded]) => isNeeded && !columns.has(name))
  return missing ? undefined : { shape, columns, currency }
}

/** The names of the columns that decide what a booking is. */
const decisive = ({ date, amount, balance }: Shape): (string | undefined)[] => [
  date,
  balance,
  ...('column' in amount ? [amount.column] : [amount.in, amount.out]),
]

const isTwice = (name: string, header: readonly string[]): boolean =>
  header.filter((each) => plain(each) === plain(name)).length > 1
