import type { Version } from '../../generated/versions.ts'
import type { Finding } from '../contract/judge-answer.ts'
import type { Replay, Stage } from './replay.ts'
import type { Subject } from './subjects.ts'
import type { Answered, Credentials, Target } from './target.ts'

/** What is held against the contract, in the order of the run. */
export const groups = [
  'protocol',
  'credentials',
  'versions',
  'request rules',
  'answers',
  'errors',
  'pages',
  'workflows',
  'retries',
  'isolation',
  'webhooks',
] as const

export type Group = (typeof groups)[number]

/** One thing that the contract says, and how it is tried. */
export interface Case {
  operationId: string
  group: Group
  name: string
  /** What it does with the data of the client. The sandbox is reset before it if data was changed. */
  data?: 'reads' | 'changes'
  /** @throws NotJudged if this service cannot be judged by it. */
  run(): Promise<Finding[]>
}

/** A case cannot be tried on this service. The message says why. */
export class NotJudged extends Error {}

/** A call before the request of a case failed. */
export class SetupFailed extends Error {}

/** What the cases have in common. */
export interface Suite {
  target: Target
  version: Version
  subjects: readonly Subject[]
  client: Credentials
  /** Another client, which has nothing of the first one's. */
  other(): Promise<Credentials>
  /** Whether the service has the sandbox API. */
  sandbox: boolean
  /** Whether only requests that need no stored data are judged, as of a mock. */
  stateless: boolean
  stage: Stage
  /** The text of a request, with the access token that was given in place of the examples'. */
  localize(text: string): string
  /** The operations that the service does not have, of documents that it may lack. */
  absent: ReadonlySet<string>
  /** Where webhooks arrive, if the service can reach this program. */
  receiver: Receiver | undefined
}

/** A webhook as it arrived. */
export interface Arrived {
  body: Uint8Array
  headers: Record<string, string | string[] | undefined>
}

/** Where the service sends webhooks. */
export interface Receiver {
  url: string
  /** Forgets what has arrived. */
  clear(): void
  /** The next one that fits; undefined if none arrives in time. */
  next(fits: (arrived: Arrived) => boolean): Promise<Arrived | undefined>
}

const encoder = new TextEncoder()

/** Sends a body to an operation as a client, in the version of the run. */
export async function sendTo(
  { target, client, version }: Suite,
  { path }: Pick<Subject, 'path'>,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answered> {
  return target.send({
    path,
    method: 'POST',
    headers: { ...target.headers(client, version), ...headers },
    body: encoder.encode(typeof body === 'string' ? body : JSON.stringify(body)),
  })
}

/** The findings of an answer that must have a status and a code. */
export function expectError(
  { judge, operationId }: Subject,
  answered: Answered,
  [status, code]: [status: number, code: string],
): Finding[] {
  const is = (found: Answered) => `${found.status}${found.code ? ` ${found.code}` : ''}`
  const shape = judge.judge(operationId, answered)
  if (answered.status === status && answered.code === code) return shape
  const field = answered.code === code ? 'status' : 'error_code'
  return [{ field, message: `must be ${status} ${code}, not ${is(answered)}` }]
}

/** A replay in which the given access token stands. */
export const localizeReplay = ({ localize }: Suite, replay: Replay): Replay =>
  JSON.parse(localize(JSON.stringify(replay)))
