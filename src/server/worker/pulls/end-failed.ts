import type { ErrorKey } from '../../../../generated/errors.ts'
import { limitsOf } from '../../../connector/connector.ts'
import { healthOf } from '../../items/change-health.ts'
import { updateItem } from '../../items/store.ts'
import type { Service } from '../../kernel/service.ts'
import type { Protocol } from '../../protocols/protocol.ts'
import type { FailureKind, SourceFailed } from '../../protocols/source-failed.ts'
import { endPull, type PullRow } from '../../queue/pull-store.ts'
import { changeSourceHealth } from '../../sources/change-health.ts'
import { inClaim, LostClaim } from './in-client.ts'
import { nextTry } from './plan.ts'

/** What clients are told. Sources that rest or ask for fewer requests are not the user's matter. */
const failureKeys = {
  login: 'ITEM_LOGIN_REQUIRED',
  setup: 'USER_SETUP_REQUIRED',
  limit: 'INSTITUTION_RATE_LIMIT',
  outage: 'INSTITUTION_NOT_RESPONDING',
} as const satisfies Record<FailureKind, ErrorKey>

/** Ends a pull whose source returned nothing. The Item's data does not change. */
export async function endFailed(
  service: Service,
  pull: PullRow,
  protocol: Protocol,
  failure: SourceFailed,
): Promise<void> {
  const now = service.clock()
  const key = failureKeys[failure.kind]
  const end = inClaim(service, pull, async (ctx, item) => {
    await updateItem(ctx, item.item_id, { transactions_failed_at: ctx.now })
    if (failure.kind === 'login' || failure.kind === 'setup') {
      await changeSourceHealth(ctx, item, healthOf(key), 'pull')
    }
    const due_at = nextTry(pull, failure, limitsOf(protocol), now)
    const { failures } = pull
    await endPull(ctx.db, pull, { ...pull, due_at, failures: failures + 1, failure: key })
  })
  await end.catch((error: unknown) => {
    if (!(error instanceof LostClaim)) throw error
  })
}
