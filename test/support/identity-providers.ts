import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

const client = { client_id: 'dashboard', client_secret: 'a-secret-of-32-letters-for-tests' }

/** Where a provider listens, and what the service is told about it. */
export interface RunningProvider {
  settings: { issuer: string; clientId: string; clientSecret: string }
  close(): Promise<void>
}

async function listen(answer: (issuer: string) => RequestListener): Promise<RunningProvider> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  server.on('request', answer(issuer))
  return {
    settings: { issuer, clientId: client.client_id, clientSecret: client.client_secret },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

/** The reference implementation of a provider. Each login is the name of an account. */
export async function startProvider(
  returnTo: string,
  emailOf: (login: string) => { email: string; email_verified: boolean },
): Promise<RunningProvider> {
  // It warns about its own defaults when it is loaded.
  const { Provider } = await import('oidc-provider')
  return listen((issuer) =>
    new Provider(issuer, {
      clients: [{ ...client, redirect_uris: [returnTo] }],
      claims: { email: ['email', 'email_verified'] },
      pkce: { required: () => true },
      cookies: { keys: ['a key that signs cookies of tests'] },
      findAccount: (_: unknown, login: string) => ({
        accountId: login,
        claims: () => ({ sub: login, ...emailOf(login) }),
      }),
    }).callback(),
  )
}

/** Signs somebody in at the reference implementation, as a person does; returns where it leads. */
export async function signInAt(url: string, login: string): Promise<URL> {
  const cookies = new Map<string, string>()
  const { origin } = new URL(url)
  let [at, form] = [url, undefined as Record<string, string> | undefined]
  for (let steps = 0; steps < 12; steps += 1) {
    const response = await fetch(at, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    })
    for (const one of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    form = undefined
    if (location !== null) {
      at = new URL(location, at).href
      if (!at.startsWith(origin)) return new URL(at)
      continue
    }
    const page = await response.text()
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
    if (prompt === undefined) throw new Error(`the provider shows: ${page.slice(0, 400)}`)
    at = new URL(/<form[^>]* action="([^"]+)"/.exec(page)?.[1] ?? '', at).href
    form = prompt === 'login' ? { prompt, login, password: 'any' } : { prompt }
  }
  throw new Error('the sign-in does not end')
}

/** What a forger changes of an ID token. */
export interface Forgery {
  claims?: { [Claim in keyof JWTPayload]: JWTPayload[Claim] | undefined }
  /** Signs with another key that has the same name. */
  key?: 'other'
  /** A token in place of the genuine one. */
  token?: (genuine: string) => string
  /** The provider redeems no code, and answers with this status and code. */
  failure?: { status: number; error: string }
}

/** A provider whose ID tokens are what a test wants. It takes each code as often as it comes. */
export async function startForger(): Promise<
  RunningProvider & { forge(nonce: string, forgery?: Forgery): void }
> {
  const [own, other] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')]
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  let asked: { nonce: string; forgery: Forgery } = { nonce: '', forgery: {} }

  async function toToken(issuer: string): Promise<string> {
    const { nonce, forgery } = asked
    const now = Math.floor(Date.now() / 1000)
    const usual = {
      iss: issuer,
      aud: client.client_id,
      sub: 'ada',
      nonce,
      iat: now,
      exp: now + 300,
      email: 'ada.prewitt@lender.example.com',
      email_verified: true,
    }
    const { privateKey } = forgery.key === 'other' ? other : own
    const genuine = await new SignJWT({ ...usual, ...forgery.claims } as JWTPayload)
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .sign(privateKey)
    return forgery.token?.(genuine) ?? genuine
  }

  const provider = await listen((issuer) => async (request, response) => {
    const answers: Record<string, () => unknown> = {
      '/.well-known/openid-configuration': () => ({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        authorization_response_iss_parameter_supported: true,
        code_challenge_methods_supported: ['S256'],
        id_token_signing_alg_values_supported: ['RS256'],
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
      }),
      '/jwks': () => ({ keys: [jwk] }),
      '/token': async () => ({
        access_token: 'an-access-token',
        token_type: 'Bearer',
        id_token: await toToken(issuer),
      }),
    }
    const { failure } = asked.forgery
    const json = { 'content-type': 'application/json' }
    if (failure && request.url === '/token') {
      response.writeHead(failure.status, json).end(JSON.stringify({ error: failure.error }))
      return
    }
    const body = await answers[request.url ?? '']?.()
    response.writeHead(body === undefined ? 404 : 200, json).end(JSON.stringify(body ?? {}))
  })
  return {
    ...provider,
    forge(nonce, forgery = {}) {
      asked = { nonce, forgery }
    },
  }
}
