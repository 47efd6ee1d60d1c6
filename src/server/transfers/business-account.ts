import { createHash } from 'node:crypto'

/**
 * The id of one of a client's own accounts: its funding account, ledger or origination account.
 * Each client has one of each, so the id is derived from the client's id.
 */
export function businessAccountOf(
  clientId: string,
  kind: 'funding' | 'ledger' | 'origination',
): string {
  const digest = createHash('sha256').update(`${kind} account of ${clientId}`).digest('hex')
  const groups = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    // Version and variant, as in any random UUID.
    `4${digest.slice(13, 16)}`,
    `a${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ]
  return groups.join('-')
}
