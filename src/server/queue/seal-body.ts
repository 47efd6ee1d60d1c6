import type { Keys } from '../kernel/keys.ts'

/** The types of webhooks that contain tokens. Their bodies are stored encrypted. */
const withTokens: readonly string[] = ['LINK']

/** The body of a webhook, as it is stored. */
export const sealBody = (keys: Keys, webhookType: string, body: string): string =>
  withTokens.includes(webhookType) ? keys.encrypt(body) : body

/** A stored webhook with its body as it is sent. */
export const openBody = <Row extends { webhook_type: string; body: string }>(
  keys: Keys,
  row: Row,
): Row => (withTokens.includes(row.webhook_type) ? { ...row, body: keys.decrypt(row.body) } : row)
