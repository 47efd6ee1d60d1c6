import { randomUUID } from 'node:crypto'
import type { SandboxTamper } from '../../../generated/sandbox/closed.ts'
import { type SigningKey, signBody, signInput, toClaims, toHeader, toSigningInput } from './sign.ts'

/** Above the clock difference that any receiver should tolerate. */
const hour = 3600

type Forge = (body: string, key: SigningKey, iat: number) => string

const forgeries: Record<SandboxTamper, Forge> = {
  bad_signature(body, key, iat) {
    const input = toSigningInput(toHeader(key.kid), toClaims(body, iat))
    return `${input}.${signInput(`${input}.`, key.privateKey)}`
  },
  unknown_key: (body, key, iat) => signBody(body, { ...key, kid: randomUUID() }, iat),
  stale: (body, key, iat) => signBody(body, key, iat - hour),
  future: (body, key, iat) => signBody(body, key, iat + hour),
  // A value differs, not just white space, so that a hash of the parsed body fails as well.
  altered_body: (body, key, iat) => {
    const original = { ...JSON.parse(body), webhook_code: 'BEFORE_IT_WAS_ALTERED' }
    return signBody(JSON.stringify(original, null, 2), key, iat)
  },
  alg_none: (body, key, iat) =>
    `${toSigningInput({ ...toHeader(key.kid), alg: 'none' }, toClaims(body, iat))}.`,
}

/** A JWT that a receiver of this body must reject. */
export const forgeSignature = (tamper: SandboxTamper, ...of: Parameters<Forge>): string =>
  forgeries[tamper](...of)
