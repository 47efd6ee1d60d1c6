import type { Context } from '../kernel/context.ts'
import type { FieldError, Rejected } from './visit.ts'

/** A rejected form, for the page that the browser is redirected to. */
export interface KeptRejection {
  /** Stands in the address of that page, so that two tabs show each its own errors. */
  id: string
  step: string
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

/** What a session knows beside its answers. */
export interface Keeping {
  rejections?: readonly KeptRejection[]
}

/** The same with one more rejection, and the id of that. */
export function keepRejection<Known extends Keeping>(
  ctx: Context,
  connection: Known,
  { step, errors, form }: Rejected & Pick<KeptRejection, 'step'>,
): { connection: Known & Keeping; id: string } {
  const id = ctx.newId('uuid')
  const typed = typedOf(form)
  const before = connection.rejections ?? []
  const rejections = [...before, { id, step, errors, typed }].slice(0 - mostKept)
  return { connection: { ...connection, rejections }, id }
}

/** The fields of a form, as many and as long as a session stores. */
export const typedOf = (form: URLSearchParams) =>
  [...form]
    .slice(0, mostFields)
    .map(([name, value]) => [name, value.slice(0, longestValue)] as const)

/** The rejection that an address names. */
export function findRejection(
  { connection, query }: { connection: Keeping; query: URLSearchParams },
  step: string,
): Rejected | undefined {
  const id = query.get(rejectionParameter)
  const kept = connection.rejections?.find((one) => one.id === id && one.step === step)
  if (!kept) return undefined
  const form = new URLSearchParams(kept.typed.map(([name, value]) => [name, value]))
  return { errors: kept.errors, form }
}

/** What else a session knows: a question that is answered needs its rejections no more. */
export function withoutRejections<Known extends Keeping>({
  rejections: _,
  ...known
}: Known): Omit<Known, 'rejections'> {
  return known
}

/** The query of an address without its rejection. */
export function withoutRejection(query: URLSearchParams): URLSearchParams {
  const others = new URLSearchParams(query)
  others.delete(rejectionParameter)
  return others
}
