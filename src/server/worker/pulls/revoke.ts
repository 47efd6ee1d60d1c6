import { limitsOf } from '../../../connector/connector.ts'
import type { Service } from '../../kernel/service.ts'
import { askToRevoke } from '../../protocols/ask-source.ts'
import type { Protocol } from '../../protocols/protocol.ts'
import { SourceFailed } from '../../protocols/source-failed.ts'
import {
  delayRevocation,
  endRevocation,
  type PullRow,
  releasePull,
} from '../../queue/pull-store.ts'
import { openSecret } from '../../sources/source-secret.ts'
import { nextTry } from './plan.ts'
import { findSettings } from './settings.ts'

const mostMs = 60_000
/** After so many tries the service forgets the secret. They take about two days. */
const mostTries = 12

/** A claimed pull of an Item that was removed. */
interface Claimed {
  pull: PullRow
  protocol: Protocol
}

/** Revokes what let the service in, and forgets it. */
export async function revoke(
  service: Service,
  { pull, protocol }: Claimed,
  signal: AbortSignal,
): Promise<void> {
  const { database, log } = service
  const error = await tryToRevoke(service, { pull, protocol }, signal)
  if (signal.aborted) {
    await database.transaction((db) => releasePull(db, pull), { isolation: 'row' })
    return
  }
  // A source that rejects the secret has revoked it already.
  const isDone = error === undefined || (error instanceof SourceFailed && error.kind === 'login')
  const isLast = pull.failures + 1 >= mostTries
  if (!isDone && isLast) log.error(error, 'an authorization could not be revoked at its source')
  await database.transaction(
    async (db) => {
      if (isDone || isLast) return endRevocation(db, pull)
      const failure = error instanceof SourceFailed ? error : new SourceFailed('outage', '')
      const dueAt = nextTry(pull, failure, limitsOf(protocol), service.clock())
      return delayRevocation(db, pull, dueAt)
    },
    { isolation: 'row' },
  )
}

async function tryToRevoke(
  service: Service,
  { pull, protocol: connector }: Claimed,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    const settings = await service.database.read((db) => findSettings(service, db, pull))
    const { callTargets: targets } = service.settings
    const asking = { connector, settings, targets, now: service.clock(), mostMs, signal }
    await askToRevoke(asking, openSecret(service.keys, pull.secret))
    return undefined
  } catch (error) {
    return error
  }
}
