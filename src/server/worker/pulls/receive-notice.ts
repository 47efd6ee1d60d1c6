import type { Notice } from '../../../connector/connector.ts'
import { readPageKey } from '../../kernel/page-key.ts'
import type { Service } from '../../kernel/service.ts'
import { askIfNews } from '../../protocols/ask-source.ts'
import { findProtocol } from '../../protocols/protocols.ts'
import { AuthorizationFailed, SourceFailed } from '../../protocols/source-failed.ts'
import { findNotified, notePull, type PullRow } from '../../queue/pull-store.ts'
import { openSecret } from '../../sources/source-secret.ts'
import { LostClaim } from './in-client.ts'
import { findSettings } from './settings.ts'

/** A sender waits about ten seconds. */
const mostMs = 8000

/**
 * Takes a webhook of a source. A genuine one only makes a read due. Returns the status to answer with.
 */
export async function receiveNotice(
  service: Service,
  key: string,
  notice: Notice,
): Promise<200 | 401 | 404 | 503> {
  const { database, keys, runner } = service
  const read = readPageKey(key)
  if (!read) return 404
  const hash = keys.hash(read.secret)
  const pull = await database.read((db) => findNotified(db, read.clientId, hash))
  if (!pull) return 404
  try {
    if (!(await isNews(service, pull, notice))) return 200
  } catch (error) {
    if (error instanceof AuthorizationFailed) return 401
    if (error instanceof SourceFailed) return 503
    if (error instanceof LostClaim) return 404
    throw error
  }
  // Later than a read that is under way, which may have missed what is new.
  const now = service.clock() + 1
  await database.transaction((db) => notePull(db, pull, now), {
    owner: pull.client_id,
    isShort: true,
  })
  runner.wake()
  return 200
}

async function isNews(service: Service, pull: PullRow, notice: Notice): Promise<boolean> {
  const connector = findProtocol(service.settings, pull.connector)
  if (!connector) throw new SourceFailed('outage', 'the connector is not there')
  const settings = await service.database.read((db) => findSettings(service, db, pull))
  const { callTargets: targets } = service.settings
  const asking = { connector, settings, targets, now: service.clock(), mostMs }
  return askIfNews(asking, openSecret(service.keys, pull.secret), notice)
}
