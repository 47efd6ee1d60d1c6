import { runOperatorCommand } from '../../src/server/operator/operator-command.ts'
import type { Tenant, TestService } from './service.ts'

async function* nothing() {}

/** A new client, as an operator makes it. */
export async function newTenant(
  service: TestService,
  more: { webhook?: string } = {},
): Promise<Tenant> {
  const command = { client: 'create', name: 'A test', actor: 'test', ...more } as const
  const done = await runOperatorCommand(service.service, command, nothing())
  const [client] = 'clients' in done ? done.clients : []
  return service.tenantOf(client?.client_id ?? '', client?.secret ?? '')
}

/** The new access token that an operator makes for an Item. */
export async function newAccessToken(service: TestService, itemId: string | null): Promise<string> {
  const command = { item: 'access-token', id: itemId ?? '', actor: 'test' } as const
  const done = await runOperatorCommand(service.service, command, nothing())
  return 'access_token' in done ? (done.access_token ?? '') : ''
}
