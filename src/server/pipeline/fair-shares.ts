import { hash, randomBytes } from 'node:crypto'
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
  /** Stands for the credentials that came with it. */
  credentials: string | undefined
}

/** Who has no share of its own, such as the caller of a test. */
export const commonShare: Share = { client: undefined, address: '', credentials: undefined }

export interface FairShares {
  of(request: { headers: Headers; body?: Uint8Array; peer?(): string | undefined }): Share
  /** These credentials, which came with a request, have been found right. */
  know(share: Share, credentials: Credentials): void
  /** They are not right, or not any more. */
  forget(share: Share, credentials: Credentials): void
}

const mostKnown = 10_000
/** Looking for credentials in a longer body would cost more than it is good for. */
const longestBody = 4096

/**
 * Tells the shares of requests before anything is checked. Whoever claims a client's id is not in its
 * share: only those are who also have its secret. What the secrets are is not kept.
 */
export function createFairShares(): FairShares {
  const salt = randomBytes(16).toString('base64')
  const known = new Map<string, string>()
  const digest = ({ clientId, secret }: Credentials): string =>
    hash('sha256', `${salt}${clientId}\0${secret}`, 'base64')
  return {
    of({ headers, body, peer }) {
      const found = findCredentials(headers, body)
      const credentials = found && digest(found)
      const client = credentials === undefined ? undefined : known.get(credentials)
      return { client, address: peerAddress(peer?.()), credentials }
    },
    know(share, checked) {
      if (share.client !== undefined || share.credentials === undefined) return
      // What was found and what was checked may stand in different places.
      if (digest(checked) !== share.credentials) return
      known.set(share.credentials, checked.clientId)
      if (known.size > mostKnown) known.delete(known.keys().next().value as string)
    },
    forget(share, checked) {
      if (share.client !== undefined) known.delete(digest(checked))
    },
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
