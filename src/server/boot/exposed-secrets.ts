import { findClient } from '../clients/store.ts'
import { wellKnownClients } from '../clients/well-known-clients.ts'
import type { Config } from '../config/config.ts'
import { isSameHash } from '../kernel/keys.ts'
import { isLoopbackHost } from '../kernel/loopback.ts'
import type { Service } from '../kernel/service.ts'

/** A warning where machines on the network can call a sandbox with the published secrets. */
export async function findExposedSecrets(
  { database, keys }: Service,
  { environment, host }: Pick<Config, 'environment' | 'host'>,
): Promise<string[]> {
  if (environment === 'production' || isLoopbackHost(host)) return []
  const exposed: string[] = []
  for (const { clientId, secret } of wellKnownClients) {
    const client = await findClient(database.single, clientId)
    if (client && isSameHash(client.secret_hash, keys.hash(secret))) exposed.push(clientId)
  }
  if (exposed.length === 0) return []
  const names = exposed.join(' and ')
  return [
    `the published secrets of ${names} are accepted on ${host}: bind 127.0.0.1, or use production`,
  ]
}
