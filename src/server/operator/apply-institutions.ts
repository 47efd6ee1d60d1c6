import type { InstitutionList } from '../../institution-list/listed-institution.ts'
import { listOffered } from '../../institution-list/offered.ts'
import { findSetting, putSetting } from '../db/settings-store.ts'
import {
  delist,
  type ListedMark,
  type ListedRow,
  listListed,
  putListed,
} from '../institutions/list-store.ts'
import { hashOf, institutionsOf, toListedRow } from '../institutions/listed-row.ts'
import { noteInstitutionChange } from '../institutions/search-store.ts'
import type { Queries } from '../kernel/database.ts'
import { newId } from '../kernel/ids.ts'
import type { Service } from '../kernel/service.ts'
import { toTimestamp } from '../kernel/time.ts'
import { audit } from './audit.ts'

type Parts = Pick<Service, 'database' | 'settings' | 'clock'>

/** Which institutions a list has changed. */
export interface ListChange {
  listed: number
  added: readonly string[]
  changed: readonly string[]
  removed: readonly string[]
}

/** Where a list comes from, and who had it read. */
export interface ListOrigin {
  file: string
  actor: string
}

/** Marks the built-in list in `settings`. A file replaces this list, and it replaces no file's list. */
const builtInMark = 'built-in'

/** Lists the built-in institutions, where no file has said otherwise before. */
export async function listBuiltInInstitutions(service: Parts): Promise<void> {
  const list = withOffered(service, { institutions: [], builtIn: true })
  const mark = `${builtInMark} ${markOf(list)}`
  const isDone = (stored: string | undefined) =>
    stored === mark || (stored !== undefined && !stored.startsWith(builtInMark))
  if (isDone(await findSetting(service.database.single, 'institution_list'))) return
  await service.database.exclusive(async (db) => {
    if (isDone(await findSetting(db, 'institution_list'))) return
    await putSetting(db, 'institution_list', mark)
    await change(service, db, list)
  })
}

/** Makes a list the institutions of the service. Undefined: they were those already. */
export async function applyInstitutions(
  service: Parts,
  read: InstitutionList,
  { file, actor }: ListOrigin,
): Promise<ListChange | undefined> {
  const list = withOffered(service, read)
  const mark = markOf(list)
  const { database } = service
  if ((await findSetting(database.single, 'institution_list')) === mark) return undefined
  return database.exclusive(async (db) => {
    if ((await findSetting(db, 'institution_list')) === mark) return undefined
    await putSetting(db, 'institution_list', mark)
    const done = await change(service, db, list)
    const details = { listed: done.listed, ...namesOf(done) }
    await audit(service, db, { actor, action: 'institutions.read', subject: file, details })
    return done
  })
}

const withOffered = ({ settings }: Parts, list: InstitutionList): InstitutionList => ({
  ...list,
  offered: listOffered(settings.connectors),
})

const markOf = (list: InstitutionList): string => hashOf(institutionsOf(list))

async function change(
  { settings, clock }: Parts,
  db: Queries,
  list: InstitutionList,
): Promise<ListChange> {
  const now = toTimestamp(clock())
  const rows = institutionsOf(list).map((institution) => toListedRow(institution, now))
  const before = new Map((await listListed(db)).map((mark) => [mark.institution_id, mark]))
  const present = (mark: ListedMark | undefined) => mark !== undefined && mark.delisted_at === null
  const isSame = ({ institution_id, list_hash }: ListedRow) => {
    const mark = before.get(institution_id)
    return present(mark) && mark?.list_hash === list_hash
  }
  const written = rows.filter((row) => !isSame(row))
  const listed = new Set(rows.map(({ institution_id }) => institution_id))
  const removed = [...before.values()]
    .filter((mark) => present(mark) && !listed.has(mark.institution_id))
    .map(({ institution_id }) => institution_id)
  await putListed(db, written)
  for (const institutionId of removed) await delist(db, institutionId, now)
  if (written.length + removed.length > 0) {
    await noteInstitutionChange(db, '', newId('opaque', settings.environment))
  }
  const ids = written.map(({ institution_id }) => institution_id)
  return {
    listed: rows.length,
    added: ids.filter((id) => !present(before.get(id))),
    changed: ids.filter((id) => present(before.get(id))),
    removed,
  }
}

/** Of each kind no more are named; all are counted. */
const mostNamed = 20

const namesOf = ({ added, changed, removed }: ListChange): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries({ added, changed, removed }).map(([kind, ids]) => [
      kind,
      { count: ids.length, ids: ids.slice(0, mostNamed) },
    ]),
  )
