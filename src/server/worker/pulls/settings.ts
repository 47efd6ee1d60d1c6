import { findClient } from '../../clients/store.ts'
import { findInstitution } from '../../institutions/store.ts'
import { findItem } from '../../items/store.ts'
import type { Queries } from '../../kernel/database.ts'
import type { Service } from '../../kernel/service.ts'
import { createContext } from '../../pipeline/create-context.ts'
import { SourceFailed } from '../../protocols/source-failed.ts'
import type { PullRow } from '../../queue/pull-store.ts'
import { resolveSettings } from '../../sources/resolve-settings.ts'
import { LostClaim } from './in-client.ts'

/** The settings of the Item's institution, with what their references stand for. */
export async function findSettings(service: Service, db: Queries, pull: PullRow): Promise<unknown> {
  const client = await findClient(db, pull.client_id)
  if (!client) throw new LostClaim()
  const { ctx } = createContext(service, db, { client, now: service.clock() })
  const id = pull.institution_id ?? (await findItem(ctx, pull.item_id))?.institution_id
  const found = id ? await findInstitution(ctx, id) : undefined
  if (!found) throw new SourceFailed('outage', 'the institution is gone')
  const settings = await resolveSettings(JSON.parse(found.connector_settings ?? '{}'))
  if (settings !== undefined) return settings
  throw new SourceFailed('outage', 'a setting of the institution names what is not there')
}
