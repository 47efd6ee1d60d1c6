import { redact } from '../kernel/redact.ts'
import { masked } from '../pipeline/mask-body.ts'

/** Fields that let somebody in, or that tell a full number of an account or a person. */
const secret =
  /token|secret|password|^(?:account|routing|wire_routing|sort_code|iban|bban|bic|ssn|key)$|account_number|routing_number|^id_number|shareable_url|link_url|_link$/

/** A stored body without tokens, secrets and full numbers. Null for one that cannot be read: it may be cut. */
export function hideSecrets(body: string | null): string | null {
  if (body === null) return null
  try {
    return JSON.stringify(JSON.parse(body), (name, value) => {
      if (secret.test(name) && value !== null && typeof value !== 'boolean') return masked
      return typeof value === 'string' ? redact(value) : value
    })
  } catch {
    return null
  }
}
