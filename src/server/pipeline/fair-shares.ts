import {
  type Credentials,
  clientIdHeader,
  type Headers,
  readBasic,
  secretHeader,
} from './credentials.ts'
import { peerAddress } from './peer-address.ts'

/** Whose share of the service a request takes. */
export interface Share {
  /** The client whose credentials came with it, where they have been found right before. */
  client: string | undefined
  /** Where it came from, which counts for everybody else. */
  address: string
  /** The credentials that came with it, with the hash of the secret. */
  credentials: (Credentials & { hash: string }) | undefined
}

/** Of requests that have no share of their own, such as those of a test. */
export const commonShare: Share = { client: undefined, address: '', credentials: undefined }

export interface FairShares {
  of(request: { headers: Headers; body?: Uint8Array; peer?(): string | undefined }): Share
  /** The hash of a secret, which was made for the share where it came with the request. */
  hashOf(credentials: Credentials, share: Share | undefined): string
  /** These credentials have been found right, by their hash. */
  know(clientId: string, hash: string): void
  /** They are not right, or not any more. */
  forget(clientId: string, hash: string): void
}

const mostKnown = 10_000
/** Looking for credentials in a longer body would cost more than it is good for. */
const longestBody = 4096

const keyOf = (clientId: string, hash: string): string => `${clientId}\0${hash}`

/**
 * Tells the shares of requests before anything is checked. Whoever claims a client's id is not in its
 * share: only those are who also have its secret. Secrets are not kept, only their hashes.
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
    // What was found and what is checked may stand in different places.
    hashOf: ({ secret }, share) =>
      share?.credentials?.secret === secret ? share.credentials.hash : hashSecret(secret),
    know(clientId, hash) {
      known.add(keyOf(clientId, hash))
      if (known.size > mostKnown) known.delete(known.values().next().value as string)
    },
    forget: (clientId, hash) => void known.delete(keyOf(clientId, hash)),
  }
}

/** The credentials in the usual places, without reading all of the body. */
function findCredentials(headers: Headers, body: Uint8Array | undefined): Credentials | undefined {
  const [clientId, secret] = [headers[clientIdHeader], headers[secretHeader]]
  if (clientId !== undefined && secret !== undefined) return { clientId, secret }
  try {
    return readBasic(headers['authorization']) ?? findInBody(body)
  } catch {
    // What is malformed is rejected when it is checked.
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
