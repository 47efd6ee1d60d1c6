import {
  type Credentials,
  clientIdHeader,
  type Headers,
  readBasic,
  secretHeader,
} from './credentials.ts'
import { peerAddress } from './peer-address.ts'

/** The share of the service's capacity that a request uses. */
export interface Share {
  /** The client, if its credentials in this request were valid in an earlier request. */
  client: string | undefined
  /** The sender's address, which is the share of all other requests. */
  address: string
  /** The credentials of the request, with the hash of the secret. */
  credentials: (Credentials & { hash: string }) | undefined
}

/** For requests without a share, such as those of a test. */
export const commonShare: Share = { client: undefined, address: '', credentials: undefined }

export interface FairShares {
  of(request: { headers: Headers; body?: Uint8Array; peer?(): string | undefined }): Share
  /** The hash of a secret. Reuses the hash that was made for the share of the request. */
  hashOf(credentials: Credentials, share: Share | undefined): string
  /** Marks these credentials as valid, by their hash. */
  know(clientId: string, hash: string): void
  /** Marks them as not valid, or no longer valid. */
  forget(clientId: string, hash: string): void
}

const mostKnown = 10_000
/** In a longer body the search for credentials would cost more than it saves. */
const longestBody = 4096

const keyOf = (clientId: string, hash: string): string => `${clientId}\0${hash}`

/**
 * Determines the shares of requests before any check. A request belongs to a client's share only if
 * it has the client's secret, not just its id. Only hashes of secrets are stored.
 */
export function createFairShares(hashSecret: (secret: string) => string): FairShares {
  const known = new Set<string>()
  return {
    of({ headers, body, peer }) {
      const found = findCredentials(headers, body)
      const credentials = found && { ...found, hash: hashSecret(found.secret) }
      const isKnown = credentials && known.has(keyOf(credentials.clientId, credentials.hash))
      const client = isKnown ? credentials.clientId : undefined
      return { client, address: peerAddress(peer?.()), credentials }
    },
    // The search and the checks may read different fields.
    hashOf: ({ secret }, share) =>
      share?.credentials?.secret === secret ? share.credentials.hash : hashSecret(secret),
    know(clientId, hash) {
      known.add(keyOf(clientId, hash))
      if (known.size > mostKnown) known.delete(known.values().next().value as string)
    },
    forget: (clientId, hash) => void known.delete(keyOf(clientId, hash)),
  }
}

/** Finds credentials in the usual fields, without parsing the whole body. */
function findCredentials(headers: Headers, body: Uint8Array | undefined): Credentials | undefined {
  const [clientId, secret] = [headers[clientIdHeader], headers[secretHeader]]
  if (clientId !== undefined && secret !== undefined) return { clientId, secret }
  try {
    return readBasic(headers['authorization']) ?? findInBody(body)
  } catch {
    // The checks reject malformed credentials later.
    return undefined
  }
}

const idInBody = /"client_id"\s*:\s*("(?:[^"\\]|\\.)*")/
const secretInBody = /"(?:client_)?secret"\s*:\s*("(?:[^"\\]|\\.)*")/

function findInBody(body: Uint8Array | undefined): Credentials | undefined {
  if (body === undefined || body.length > longestBody) return undefined
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString()
  const clientId = idInBody.exec(text)?.[1]
  const secret = secretInBody.exec(text)?.[1]
  if (clientId === undefined || secret === undefined) return undefined
  return { clientId: JSON.parse(clientId), secret: JSON.parse(secret) }
}
