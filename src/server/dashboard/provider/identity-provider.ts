import type { ClientAuth, Configuration, IDToken } from 'openid-client'
import { ApiError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { type Attempt, isAttemptOpen } from './attempt.ts'

/** The identity provider that users of the dashboard sign in at. */
export interface ProviderSettings {
  issuer: string
  clientId: string
  clientSecret: string
}

/** Who has signed in there. */
export interface Identity {
  /** Names the user at this provider for good. An e-mail address can change hands. */
  subject: string
  /** Lowercase; undefined where the provider has not verified it. */
  email: string | undefined
}

export interface IdentityProvider {
  /** Shown to users. */
  host: string
  /** The address that a sign-in begins at. */
  toUrl(attempt: Attempt): Promise<string>
  /** Checks what the browser came back with. @throws ApiError for anything but a genuine answer */
  readAnswer(attempt: Attempt, answer: string, now: number): Promise<Identity>
}

interface Place {
  publicUrl(): string
  log: Log
}

/** In seconds: a user waits for each call. */
const patience = 10

export function createIdentityProvider(
  { issuer, clientId, clientSecret }: ProviderSettings,
  { publicUrl, log }: Place,
): IdentityProvider {
  const server = new URL(issuer)
  const returnTo = () => `${publicUrl()}/dashboard/sign-in`
  let known: Promise<Configuration> | undefined

  /** Read when it is first needed: the service starts while the provider is down, too. */
  async function discover(): Promise<Configuration> {
    const { discovery, allowInsecureRequests, enableNonRepudiationChecks, ...methods } =
      await import('openid-client')
    const authenticate: ClientAuth = (as, ...rest) =>
      (usesPost(as) ? methods.ClientSecretPost() : methods.ClientSecretBasic())(as, ...rest)
    return discovery(server, clientId, clientSecret, authenticate, {
      timeout: patience,
      execute: [
        // By default the signature is not checked, since the token comes over TLS.
        enableNonRepudiationChecks,
        // The settings allow plain http on loopback only.
        ...(server.protocol === 'http:' ? [allowInsecureRequests] : []),
      ],
    })
  }

  async function configuration(): Promise<Configuration> {
    known ??= discover()
    try {
      return await known
    } catch (cause) {
      known = undefined
      throw failed(log, cause)
    }
  }

  return {
    host: server.host,
    async toUrl({ state, nonce, verifier }) {
      const config = await configuration()
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client')
      return buildAuthorizationUrl(config, {
        redirect_uri: returnTo(),
        scope: 'openid email',
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).href
    },
    async readAnswer(attempt, answer, now) {
      if (!isAttemptOpen(attempt, now)) throw new ApiError('SIGN_IN_ANSWER_REJECTED')
      const config = await configuration()
      try {
        return await redeem(config, attempt, new URL(`${returnTo()}?${answer}`))
      } catch (cause) {
        throw isUnreachable(cause) ? failed(log, cause) : rejected(log, cause)
      }
    },
  }
}

/** Providers that do not say what they support support the basic scheme. */
const usesPost = (as: { token_endpoint_auth_methods_supported?: string[] | undefined }): boolean =>
  as.token_endpoint_auth_methods_supported?.includes('client_secret_basic') === false

async function redeem(config: Configuration, attempt: Attempt, url: URL): Promise<Identity> {
  const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client')
  const tokens = await authorizationCodeGrant(config, url, {
    expectedState: attempt.state,
    expectedNonce: attempt.nonce,
    pkceCodeVerifier: attempt.verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims() as IDToken
  // Some providers tell the address there only.
  const { email, email_verified } =
    claims['email'] === undefined
      ? await fetchUserInfo(config, tokens.access_token, claims.sub)
      : claims
  const isVerified = typeof email === 'string' && email_verified === true
  return {
    subject: JSON.stringify([claims.iss, claims.sub]),
    email: isVerified ? email.toLowerCase() : undefined,
  }
}

/** Whether the provider did not answer, as opposed to an answer that is wrong. */
function isUnreachable(error: unknown): boolean {
  // The library throws errors of its own. The cause of one about a status is the response.
  const { code, cause } = error as { code?: string; cause?: unknown }
  const status = cause instanceof Response ? cause.status : 0
  return error instanceof TypeError || code === 'OAUTH_TIMEOUT' || status >= 500
}

const codeOf = (error: unknown): string => {
  const { code, error: named, message } = error as Record<string, unknown>
  return [code, named ?? message].filter((part) => typeof part === 'string').join(': ')
}

/** The log says why; the browser may be a stranger's. */
function failed(log: Log, cause: unknown): ApiError {
  log.error(cause, `the identity provider failed: ${codeOf(cause)}`)
  return new ApiError('SIGN_IN_PROVIDER_FAILED', { cause })
}

function rejected(log: Log, cause: unknown): ApiError {
  const reason = codeOf(cause).slice(0, 200)
  log.info({ reason }, 'an answer of the identity provider was rejected')
  return new ApiError('SIGN_IN_ANSWER_REJECTED', { cause })
}
