import { filterFields } from './filter-fields.ts'
import { type Filter, fits, partsIn, valuesOf } from './judge-lists.ts'
import { advance, liveItem, quiet } from './laws-tools.ts'
import { type Read, readsOf } from './picture.ts'
import type { Luck } from './references.ts'
import type { Session } from './session.ts'
import type { Body } from './subjects.ts'

/** A report of some days holds no day before them; that is looked at in every answer. */
export async function reportsReach(session: Session, who: number, luck: Luck): Promise<void> {
  await quiet(session, who)
  const token = liveItem(session, who)
  const asked = { access_tokens: [token], days_requested: 1 + luck(14) }
  const made = await session.ask('assetReportCreate', who, asked)
  if (made.status !== 200) return
  await advance(session, who, 31)
  await session.target.settle()
  const { asset_report_token } = made.json as Body
  await session.ask('assetReportGet', who, { asset_report_token })
}

/** What a list chooses from a whole one is just what fits of it. */
export async function filtersChoose(session: Session, who: number, luck: Luck): Promise<void> {
  await quiet(session, who)
  await session.target.settle()
  const all = readsOf(session, who).filter(([id]) => filterFields(id).length > 0)
  const [operationId, body] = all[luck(all.length)] as Read
  // A first read may set up what it reads.
  await session.ask(operationId, who, body)
  await session.target.settle()
  const whole = await session.ask(operationId, who, body)
  if (whole.status !== 200 || !isWhole(whole.json as Body)) return
  const chosen = choose(operationId, body, whole.json as Body, luck)
  if (!chosen) return
  const answer = await session.ask(operationId, who, chosen.body)
  if (answer.status !== 200) return
  compare(session, `${operationId} by \`${chosen.filter.name}\``, chosen.filter, {
    whole: whole.json as Body,
    part: answer.json as Body,
  })
}

const isWhole = (answer: Body): boolean =>
  answer['next_cursor'] == null || answer['has_more'] === false

function choose(
  operationId: string,
  body: Body,
  whole: Body,
  luck: Luck,
): { body: Body; filter: Filter } | undefined {
  const fields = filterFields(operationId)
  const { keys, name, isList } = fields[luck(fields.length)] as (typeof fields)[number]
  const parts = partsIn(whole)
  if (name === 'date') {
    const dates = parts.flatMap(({ fields: { date } }) => (typeof date === 'string' ? [date] : []))
    const days = [...new Set(dates)].sort()
    if (days.length === 0) return undefined
    const from = luck(days.length)
    const values = days.slice(from, from + 1 + luck(days.length - from))
    const range = { start_date: values[0], end_date: values.at(-1) }
    return { body: { ...body, ...range }, filter: { name, values } }
  }
  const held = parts.flatMap((part) => valuesOf(part, name))
  const known = [...new Set(held.filter((one): one is string => typeof one === 'string'))]
  if (known.length === 0) return undefined
  const values = [known[luck(known.length)] as string]
  if (isList && luck(3) === 0) values.push(known[luck(known.length)] as string)
  const distinct = [...new Set(values)]
  return {
    body: put(body, keys, isList ? distinct : distinct[0]),
    filter: { name, values: distinct },
  }
}

/** A copy of a body that says one thing more. */
function put(body: Body, [key = '', ...rest]: readonly string[], value: unknown): Body {
  const inner = rest.length === 0 ? value : put((body[key] ?? {}) as Body, rest, value)
  return { ...body, [key]: inner }
}

function compare(
  session: Session,
  what: string,
  { name, values }: Filter,
  { whole, part }: { whole: Body; part: Body },
): void {
  const chosen = partsIn(whole).filter((one) => {
    const held = valuesOf(one, name).filter((value) => value != null)
    return held.length > 0 && held.every((value) => fits(value, values))
  })
  const got = new Set(partsIn(part).map((one) => JSON.stringify(one)))
  const missed = chosen.find((one) => !got.has(JSON.stringify(one)))
  if (missed) session.fail(`filters: ${what} leaves out a fitting \`${missed.name}\``)
  const known = new Set(partsIn(whole).map((one) => JSON.stringify(one)))
  const extra = partsIn(part).find(
    (one) => valuesOf(one, name).some((value) => value != null) && !known.has(JSON.stringify(one)),
  )
  if (extra) session.fail(`filters: ${what} has a \`${extra.name}\` that the whole has not`)
  const { total_transactions: total } = part
  const count = chosen.filter((one) => one.name === 'transactions').length
  if (typeof total === 'number' && total !== count)
    session.fail(`filters: ${what} counts ${total} of ${count}`)
}
