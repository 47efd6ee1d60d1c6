import type { Schemas } from './api.ts'

/** How good something is, for a mark with a shape and a color of its own. */
export type Kind = 'good' | 'bad' | 'warn' | 'wait' | 'none'

export const ofAnswer = (status: number): Kind => {
  if (status >= 500) return 'bad'
  return status >= 400 ? 'warn' : 'good'
}

export const ofWebhook: Record<Schemas['DashboardWebhookStatus'], Kind> = {
  delivered: 'good',
  pending: 'wait',
  retrying: 'warn',
  failed: 'bad',
}

export const webhookWords: Record<Schemas['DashboardWebhookStatus'], string> = {
  delivered: 'Delivered',
  pending: 'Pending',
  retrying: 'Retrying',
  failed: 'Failed',
}

export interface Mark {
  kind: Kind
  text: string
}

export function markOfItem(item: Schemas['DashboardItem']): Mark {
  if (item.removed_at !== null) return { kind: 'none', text: 'Removed' }
  return markOfHealthyItem(item.error_code)
}

/** The health of an Item that was not removed. */
export const markOfHealthyItem = (errorCode: string | null): Mark =>
  errorCode === null ? { kind: 'good', text: 'Healthy' } : { kind: 'bad', text: errorCode }
