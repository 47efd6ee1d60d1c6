import { Agent, request } from 'node:http'

/** A call with credentials, right or wrong, from an address of this machine. */
interface Presented {
  path?: string
  headers?: Record<string, string>
  body?: object
  /** The loopback address that it comes from. */
  from?: string
}

export interface Told {
  status: number
  code: string
  retryAfter: string | undefined
}

const json = { 'Content-Type': 'application/json' }

/** Sends one, on a kept connection. */
export function createGuesser(url: string): (presented: Presented) => Promise<Told> {
  const agent = new Agent({ keepAlive: true, maxSockets: 20 })
  return ({ path = '/wallet/list', headers = {}, body = {}, from = '127.0.0.1' }) =>
    new Promise((resolve, reject) => {
      const options = {
        method: 'POST',
        agent,
        localAddress: from,
        headers: { ...json, ...headers },
      }
      const sent = request(url + path, options, (response) => {
        let text = ''
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () => {
          const { error_code, error } = JSON.parse(text)
          const retryAfter = response.headers['retry-after']
          resolve({ status: response.statusCode ?? 0, code: error_code ?? error, retryAfter })
        })
      })
      sent.on('error', reject)
      sent.end(JSON.stringify(body))
    })
}

export const clientId = 'sandbox-client'
const right = 'sandbox-secret'

export const genuine = (from: string): Presented => ({
  from,
  headers: { 'SERVICE-CLIENT-ID': clientId, 'SERVICE-SECRET': right },
})

/** The ways to present credentials, each with one that is wrong. */
export const ways: Readonly<Record<string, (guess: string) => Presented>> = {
  'a secret in the header': (guess) => ({
    headers: { 'SERVICE-CLIENT-ID': clientId, 'SERVICE-SECRET': guess },
  }),
  'a secret in the body': (guess) => ({ body: { client_id: clientId, secret: guess } }),
  'a secret by HTTP Basic': (guess) => ({
    path: '/oauth/token',
    headers: { Authorization: `Basic ${btoa(`${clientId}:${guess}`)}` },
    body: { grant_type: 'client_credentials' },
  }),
  'a client secret of OAuth': (guess) => ({
    path: '/oauth/revoke',
    body: { client_id: clientId, client_secret: guess, token: 'a' },
  }),
  'a public key': (guess) => ({
    path: '/institutions/search',
    headers: { 'SERVICE-VERSION': '2019-05-29' },
    // A key has 28 hexadecimal digits; another form is rejected before it is looked up.
    body: { public_key: guess.replace(/\D/g, '').padStart(28, '0'), query: 'a', products: null },
  }),
  'a bearer token': (guess) => ({
    ...genuine('127.0.0.1'),
    headers: { ...genuine('').headers, Authorization: `Bearer ${guess}` },
  }),
}
