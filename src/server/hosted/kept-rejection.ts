import type { Context } from '../kernel/context.ts'
import type { Connection } from './connection.ts'
import type { StepName } from './step-order.ts'
import type { FieldError, Rejected, Visit } from './visit.ts'

/** A rejected form, for the page that the browser is redirected to. */
export interface KeptRejection {
  /** Stands in the address of that page, so that two tabs show each its own errors. */
  id: string
  step: StepName
  errors: readonly FieldError[]
  /** What was typed, without secrets. */
  typed: readonly (readonly [name: string, value: string])[]
}

/** The parameter of an address that names a rejection. */
export const rejectionParameter = 'rejected'

/** More tabs than this are rare, and a session stays small. */
const mostKept = 4
const mostFields = 400
const longestValue = 200

/** The connection of a session with one more rejection, and the id of that. */
export function keepRejection(
  ctx: Context,
  connection: Connection,
  { step, errors, form }: Rejected & Pick<KeptRejection, 'step'>,
): { connection: Connection; id: string } {
  const id = ctx.newId('uuid')
  const typed = [...form]
    .slice(0, mostFields)
    .map(([name, value]) => [name, value.slice(0, longestValue)] as const)
  const before = connection.rejections ?? []
  const rejections = [...before, { id, step, errors, typed }].slice(0 - mostKept)
  return { connection: { ...connection, rejections }, id }
}

/** The rejection that an address names. */
export function findRejection(
  { connection, query }: Pick<Visit, 'connection' | 'query'>,
  step: StepName,
): Rejected | undefined {
  const id = query.get(rejectionParameter)
  const kept = connection.rejections?.find((one) => one.id === id && one.step === step)
  if (!kept) return undefined
  const form = new URLSearchParams(kept.typed.map(([name, value]) => [name, value]))
  return { errors: kept.errors, form }
}

/** What else a session knows: a question that is answered needs its rejections no more. */
export function withoutRejections({ rejections: _, ...connection }: Connection): Connection {
  return connection
}

/** The query of an address without its rejection. */
export function withoutRejection(query: URLSearchParams): URLSearchParams {
  const others = new URLSearchParams(query)
  others.delete(rejectionParameter)
  return others
}
