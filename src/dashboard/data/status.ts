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
  failed: 'bad',
}

export const webhookWords: Record<Schemas['DashboardWebhookStatus'], string> = {
  delivered: 'Delivered',
  pending: 'Pending',
  failed: 'Failed',
}

export interface Mark {
  kind: Kind
  text: string
}

export function markOfItem(item: Schemas['DashboardItem']): Mark {
  if (item.removed_at !== null) return { kind: 'none', text: 'Removed' }
  if (item.error_code !== null) return { kind: 'bad', text: item.error_code }
  return { kind: 'good', text: 'Healthy' }
}
