import { limitsOf } from '../../../connector/connector.ts'
import type { Service } from '../../kernel/service.ts'
import type { EndedPull } from '../../kernel/telemetry.ts'
import { readSource } from '../../protocols/ask-source.ts'
import type { Protocol, Window } from '../../protocols/protocol.ts'
import { findProtocol } from '../../protocols/protocols.ts'
import { SourceFailed } from '../../protocols/source-failed.ts'
import { waitForCall, withCall } from '../../queue/pull-quota.ts'
import {
  claimPull,
  type PullRow,
  postponePull,
  readPull,
  releasePull,
} from '../../queue/pull-store.ts'
import { findOwnCategories } from '../../sources/own-categories.ts'
import { collectStatements } from '../../sources/pulled-statements.ts'
import { openSecret } from '../../sources/source-secret.ts'
import { commitPull } from './commit-pull.ts'
import { endFailed } from './end-failed.ts'
import { LostClaim } from './in-client.ts'
import { windowOf } from './plan.ts'
import { revoke } from './revoke.ts'
import { findSettings } from './settings.ts'

/**
 * Longer than a call and its commit take, so an older claim is of a process that has died. Should a
 * commit take longer, the fence keeps it out.
 */
export const leaseMs = 300_000
/** How long a source may take. The rest of the lease is for the commit. */
const mostMs = 240_000
const unknownConnectorMs = 3_600_000

/** A claimed pull, and what it asks for. */
interface Claimed {
  pull: PullRow
  protocol: Protocol
  window: Window
}

/** Reads an Item from its source, if that is due and the quota allows it. Returns whether it did. */
export async function runPull(
  service: Service,
  key: Pick<PullRow, 'client_id' | 'item_id'>,
  signal: AbortSignal,
): Promise<boolean> {
  const claimed = await claim(service, key)
  if (!claimed) return false
  if (claimed.pull.revokes === 1) {
    await revoke(service, claimed, signal)
    return true
  }
  const begun = performance.now()
  const { pull } = claimed
  const end = (told: Pick<EndedPull, 'result'> & Partial<EndedPull>) =>
    service.telemetry.pulled({
      clientId: pull.client_id,
      itemId: pull.item_id,
      connector: pull.connector,
      rows: {},
      ms: performance.now() - begun,
      ...told,
    })
  try {
    end({ result: 'done', rows: await read(service, claimed, signal) })
  } catch (error) {
    end(await endPullOf(service, claimed, signal, error))
  }
  return true
}

/** What becomes of a pull whose read or commit failed. */
async function endPullOf(
  service: Service,
  { pull, protocol }: Claimed,
  signal: AbortSignal,
  error: unknown,
): Promise<Pick<EndedPull, 'result' | 'reason'>> {
  const { database } = service
  if (signal.aborted) {
    // The process ends: another one begins again at once.
    await database.transaction((db) => releasePull(db, pull), { isolation: 'row' })
    return { result: 'lost', reason: 'the process ends' }
  }
  if (error instanceof LostClaim) return { result: 'lost' }
  const isSource = error instanceof SourceFailed
  if (!isSource) service.log.error(error, 'an Item could not be read from its source')
  const failure = isSource ? error : new SourceFailed('outage', 'the read could not be stored')
  await endFailed(service, pull, protocol, failure)
  return isSource ? { result: error.kind, reason: error.message } : { result: 'failed' }
}

/** Claims a pull and counts its call, so that no crash can make more calls than the quota has. */
async function claim(
  service: Service,
  key: Pick<PullRow, 'client_id' | 'item_id'>,
): Promise<Claimed | undefined> {
  const now = service.clock()
  return service.database.transaction(
    async (db) => {
      const pull = await readPull(db, key)
      if (!pull || pull.due_at > now || pull.leased_until > now) return undefined
      const protocol = findProtocol(service.settings, pull.connector)
      // A later version of the program may know it.
      if (!protocol) return void (await postponePull(db, pull, now + unknownConnectorMs))
      const wait = pull.revokes === 1 ? 0 : waitForCall(pull.calls, limitsOf(protocol), now)
      if (wait > 0) return void (await postponePull(db, pull, now + wait))
      const calls = withCall(pull.calls, now)
      const lease = { leased_until: now + leaseMs, calls }
      if (!(await claimPull(db, pull, lease, now))) return undefined
      const window = windowOf(pull, now)
      return { pull: { ...pull, ...lease, fence: pull.fence + 1 }, protocol, window }
    },
    { owner: key.client_id, isShort: true },
  )
}

async function read(
  service: Service,
  { pull, protocol, window }: Claimed,
  signal: AbortSignal,
): Promise<EndedPull['rows']> {
  const settings = await service.database.read((db) => findSettings(service, db, pull))
  const now = service.clock()
  const messages = readSource(
    { connector: protocol, settings, targets: service.settings.callTargets, now, mostMs, signal },
    {
      secret: openSecret(service.keys, pull.secret),
      window,
      balancesOnly: false,
      // The first read is nobody's wish.
      isAsked: pull.read_at === 0 && pull.state !== null,
    },
    pull.state === null ? undefined : JSON.parse(pull.state),
  )
  const find = await findOwnCategories(service.database.single)
  const pulled = await collectStatements(protocol, messages)
  return commitPull(service, { pull, protocol, window, now, find }, pulled)
}
