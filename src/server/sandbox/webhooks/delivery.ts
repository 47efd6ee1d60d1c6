import type {
  SandboxWebhookAttempt,
  SandboxWebhookDelivery,
} from '../../../../generated/sandbox/closed.ts'
import { toTimestamp } from '../../kernel/time.ts'
import type { AttemptRow } from '../../queue/webhook-attempt-store.ts'
import type { DeliveryRow } from '../../queue/webhook-store.ts'

/** A webhook as the list shows it. `attempts` may contain those of other webhooks. */
export const toSandboxWebhookDelivery = (
  row: DeliveryRow,
  attempts: readonly AttemptRow[],
): SandboxWebhookDelivery => ({
  webhook_id: row.webhook_id,
  url: row.url,
  // Rows contain only combinations that the contract allows.
  webhook_type: row.webhook_type as SandboxWebhookDelivery['webhook_type'],
  webhook_code: row.webhook_code as SandboxWebhookDelivery['webhook_code'],
  status: statusOf(row),
  body: row.body,
  attempts: attempts
    .filter(({ webhook_id }) => webhook_id === row.webhook_id)
    .map(toSandboxWebhookAttempt),
})

const toSandboxWebhookAttempt = (row: AttemptRow): SandboxWebhookAttempt => ({
  at: toTimestamp(row.attempted_at),
  status_code: row.status_code,
  error: row.error,
})

/** A failed delivery is pending again while a requested attempt is due. */
const statusOf = ({ status, asked }: DeliveryRow): DeliveryRow['status'] =>
  status === 'failed' && asked > 0 ? 'pending' : status
