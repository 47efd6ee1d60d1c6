import type { Message } from '../connector/connector.ts'
import { SourceFailed, toFailure } from '../connector/failures.ts'
import { hasSecret, secretTexts } from '../connector/hide-secrets.ts'
import type { BankResponse } from './bank.ts'
import type { Check } from './checks.ts'
import { failureOf, type Mishap, ofType, type Run, require } from './run.ts'

/** Reads while every request has a mishap; returns what the read ended with. */
async function readWith(run: Run, secret: unknown, mishap: Mishap): Promise<unknown> {
  run.mishap = () => mishap
  const error = await failureOf(() => run.read(secret))
  run.mishap = undefined
  return error
}

const answered = (status: number, body = ''): BankResponse => ({ status, body })

function requireKind(error: unknown, kind: string, when: string): void {
  const failure = toFailure(error)
  const told = failure instanceof SourceFailed ? failure.kind : `no SourceFailed (${nameOf(error)})`
  require(told ===
    kind, `${when}: it must throw SourceFailed of the kind ${kind}, and told ${told}`)
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'nothing')

const unusable: readonly (readonly [string, Mishap])[] = [
  ['a bank that gives no response', 'no response'],
  ['the status 500', answered(500)],
  ['the status 503', answered(503, 'Maintenance')],
  ['a redirect', { status: 302, headers: { location: 'https://other.example.net/' }, body: '' }],
  ['a web page in place of data', answered(200, '<!doctype html><title>Maintenance</title>')],
  ['data that is cut off', answered(200, '{"accounts": [{"id": "ACT-1", ')],
  ['an empty body', answered(200)],
]

/** What a bank says that repeats what it was sent. */
const echo = (secret: unknown): BankResponse =>
  answered(500, `cannot serve ${JSON.stringify(secret)}: ${secretTexts(secret).join(' ')}`)

const textsOf = (messages: readonly Message[]): string[] => [
  ...ofType(messages, 'issue').map(({ issue }) => issue.message),
  ...ofType(messages, 'state').map(({ state }) => JSON.stringify(state) ?? ''),
]

/** Checks of what a connector does when a bank fails, and of what it keeps to itself. */
export const failureChecks: readonly Check[] = [
  {
    name: 'rejects a wrong answer, and does not repeat it',
    needs: 'wrongAnswer',
    async run(run, { wrongAnswer = {} }) {
      const error = await failureOf(() => run.authorizeWrongly(wrongAnswer))
      const failure = toFailure(error)
      require(failure?.name === 'AuthorizationFailed', 'it must throw AuthorizationFailed')
      const isRepeated = hasSecret(failure?.message ?? '', secretTexts(wrongAnswer))
      require(!isRepeated, 'the message repeats what the user typed')
    },
  },
  {
    name: 'asks for a new login when the bank rejects the secret',
    async run(run) {
      const secret = await run.authorize()
      for (const rejection of run.rejections) {
        const { status = 200 } = rejection
        requireKind(await readWith(run, secret, rejection), 'login', `status ${status}`)
      }
    },
  },
  {
    name: 'waits as long as the bank asks',
    async run(run) {
      const secret = await run.authorize()
      const busy = { ...answered(429), headers: { 'retry-after': '120' } }
      const error = await readWith(run, secret, busy)
      requireKind(error, 'limit', 'status 429')
      const failure = toFailure(error)
      const waitMs = failure instanceof SourceFailed ? failure.waitMs : 0
      require(waitMs === 120_000, `Retry-After: 120 must give a waitMs of 120000, not ${waitMs}`)
    },
  },
  {
    name: 'tries again later when the bank gives nothing usable',
    async run(run) {
      const secret = await run.authorize()
      for (const [when, mishap] of unusable) {
        requireKind(await readWith(run, secret, mishap), 'outage', when)
      }
    },
  },
  {
    name: 'calls only its hosts, over https, and no more often than it says',
    async run(run) {
      const secret = await run.authorize()
      const messages = await run.read(secret)
      require(run.requests.length > 0, 'it read without a request by `ctx.call`')
      require(messages.length > 0, 'it told nothing')
    },
  },
  {
    name: 'keeps secrets out of messages, states and errors',
    async run(run) {
      const secret = await run.authorize()
      const secrets = secretTexts(secret, ...run.secrets)
      const texts = textsOf(await run.read(secret))
      for (const mishap of [...unusable.map(([, one]) => one), answered(401), echo(secret)]) {
        const error = await readWith(run, secret, mishap)
        if (error instanceof Error) texts.push(error.message)
      }
      require(texts.every(
        (text) => !hasSecret(text, secrets),
      ), 'a message, a state or an error holds a part of a secret')
    },
  },
]
