import type { AssetReportOptions, AssetReportUser } from '#contract/closed.ts'
import type { Context } from '../kernel/context.ts'
import { findUserByClientUserId, findUserByToken } from '../users/store.ts'

/** The stored input of a report: JSON without the SSN. */
export interface ReportRequest {
  days_requested: number
  client_report_id: string | null
  require_all_items: boolean
  investments: boolean
  item_ids: string[]
  user: Omit<AssetReportUser, 'ssn'>
}

/** The options as plain data. */
export const includesFast = (options: AssetReportOptions | undefined): boolean =>
  options?.include_fast_report === true || (options?.add_ons ?? []).includes('fast_assets')

export const includesInvestments = (options: AssetReportOptions | undefined): boolean =>
  (options?.add_ons ?? []).includes('investments') || (options?.products ?? []).length > 0

/** A phone number in E.164 form. The contract allows only numbers that have one. */
function toE164(number: string): string {
  const digits = number.replaceAll(/\D/g, '')
  if (number.includes('+')) return `+${digits}`
  return digits.length === 11 && digits.startsWith('1') ? `+${digits}` : `+1${digits}`
}

/** The user as the report shows them: all keys, with null for omitted values. */
export function toReportUser(options: AssetReportOptions | undefined): ReportRequest['user'] {
  const user = options?.user ?? {}
  return {
    client_user_id: user.client_user_id ?? null,
    first_name: user.first_name ?? null,
    middle_name: user.middle_name ?? null,
    last_name: user.last_name ?? null,
    phone_number: user.phone_number == null ? null : toE164(user.phone_number),
    email: user.email ?? null,
  }
}

/** The client's user for a `client_user_id`, which may also be their token. */
export async function findReportUser(
  ctx: Context,
  clientUserId: string | null | undefined,
): Promise<string | null> {
  if (!clientUserId) return null
  const user =
    (await findUserByClientUserId(ctx, clientUserId)) ?? (await findUserByToken(ctx, clientUserId))
  return user?.user_id ?? null
}
