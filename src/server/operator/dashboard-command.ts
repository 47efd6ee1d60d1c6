import type { DashboardRole } from '../../../generated/dashboard/closed.ts'
import { hasControls } from '../../control-characters.ts'
import type { Queries } from '../kernel/database.ts'
import { newId } from '../kernel/ids.ts'
import type { Service } from '../kernel/service.ts'
import { toTimestamp } from '../kernel/time.ts'
import {
  type DashboardAccess,
  deleteSessionsOf,
  findAccess,
  insertOperator,
  listAccess,
  updateOperator,
  updateUser,
} from '../users/dashboard-access-store.ts'
import { createSignInLink } from '../users/dashboard-sign-in.ts'
import { insertDashboardUser } from '../users/dashboard-store.ts'
import { asClient } from './as-client.ts'
import { audit } from './audit.ts'
import { OperatorError } from './operator-error.ts'

/** What an operator does with users of the dashboard. Without a client a new user is an operator. */
export type DashboardCommand =
  | { dashboard: 'create'; email_address: string; role: DashboardRole; client_id?: string }
  | { dashboard: 'list' }
  | { dashboard: 'disable'; id: string }
  | { dashboard: 'sign-in'; id: string }

/** A user, and a link that signs them in once, where one was just made. */
export interface ShownUser {
  id: string
  client_id: string | null
  email_address: string | null
  role: DashboardRole
  status: DashboardAccess['status']
  created_at: string
  link?: string
}

export interface UsersDone {
  users: ShownUser[]
}

/** Carries out a command about users of the dashboard. Returns the users that it concerns. */
export async function runDashboardCommand(
  service: Service,
  command: DashboardCommand,
  actor: string,
): Promise<UsersDone> {
  const { database } = service
  if (command.dashboard === 'list') {
    return { users: (await database.read(listAccess)).map((row) => toShown(row)) }
  }
  const id = command.dashboard === 'create' ? await create(service, command) : command.id
  return database.transaction(async (db) => {
    const user = await requireUser(db, id)
    const link = await change(service, db, user, command)
    await audit(service, db, {
      actor,
      action: `dashboard-user.${command.dashboard}`,
      client_id: user.client_id,
      subject: id,
      details: { role: user.role },
    })
    return { users: [toShown(await requireUser(db, id), link)] }
  })
}

async function change(
  service: Service,
  db: Queries,
  user: DashboardAccess,
  command: Exclude<DashboardCommand, { dashboard: 'list' }>,
): Promise<string | undefined> {
  if (command.dashboard === 'disable') return disable(service, db, user)
  if (user.status === 'deactivated') throw new OperatorError(`the user ${user.user_id} is disabled`)
  if (command.dashboard === 'create' && user.client_id !== '') {
    await updateUser(db, user, { role: command.role, status: user.status })
  }
  const { keys, publicUrl } = service
  return publicUrl() + (await createSignInLink({ keys, now: service.clock() }, db, user))
}

/** The user's sessions end at once. */
async function disable(service: Service, db: Queries, user: DashboardAccess): Promise<undefined> {
  await deleteSessionsOf(db, user)
  const { role, user_id } = user
  if (user.client_id !== '') await updateUser(db, user, { role, status: 'deactivated' })
  else await updateOperator(db, user_id, { role, disabled_at: toTimestamp(service.clock()) })
}

async function create(
  service: Service,
  { email_address, role, client_id }: Extract<DashboardCommand, { dashboard: 'create' }>,
): Promise<string> {
  if (!/^[^@\s]+@[^@\s]+$/.test(email_address) || hasControls(email_address)) {
    throw new OperatorError('the e-mail address must have a name, an @ and a domain')
  }
  if (client_id !== undefined) {
    return asClient(service, client_id, (ctx) => insertDashboardUser(ctx, { email_address }))
  }
  const id = newId('dashboard_user', service.settings.environment)
  const created_at = toTimestamp(service.clock())
  await service.database.transaction((db) =>
    insertOperator(db, { id, created_at, email_address, role }),
  )
  return id
}

async function requireUser(db: Queries, id: string): Promise<DashboardAccess> {
  const user = await findAccess(db, id)
  if (!user) throw new OperatorError(`there is no user ${id}: \`dashboard user list\` shows all`)
  return user
}

const toShown = (row: DashboardAccess, link?: string): ShownUser => ({
  id: row.user_id,
  client_id: row.client_id === '' ? null : row.client_id,
  email_address: row.email_address,
  role: row.role,
  status: row.status,
  created_at: row.created_at,
  ...(link === undefined ? {} : { link }),
})
