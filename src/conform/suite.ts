import { operations as undatedOperations } from '../../generated/undated.ts'
import type { Version } from '../../generated/versions.ts'
import { readyAccessToken } from '../server/clients/well-known-clients.ts'
import { NotJudged, type Receiver, SetupFailed, type Suite } from './case.ts'
import type { Stage } from './replay.ts'
import { readSubjects, type Subject } from './subjects.ts'
import { type Credentials, createTarget, type Target } from './target.ts'

/** What a run is told. */
export interface SuiteOptions {
  base: string
  version: Version
  client: Credentials
  other: Credentials | undefined
  /** Stands in place of the examples' access token. */
  accessToken: string | undefined
  stateless: boolean
  receiver: Receiver | undefined
  timeout: number
  onWait(seconds: number): void
}

/** The run cannot begin: the service does not answer, or rejects the credentials. */
export class CannotBegin extends Error {}

/** Looks what the service has, and puts together what the cases need. */
export async function openSuite(options: SuiteOptions): Promise<Suite> {
  const { version, client, accessToken, stateless, receiver } = options
  const target = createTarget(options)
  const subjects = await readSubjects(version)
  await requireCredentials(target, subjects, options)
  const path = undatedOperations.sandboxClockGet.path
  const sandbox = !stateless && (await statusOf(target, path, options)) === 200
  const undated = subjects.filter((subject) => subject.undated)
  const absent = new Set<string>()
  for (const subject of undated) {
    if ((await statusOf(target, subject.path, options)) === 404) absent.add(subject.operationId)
  }
  const stage = stageOf(target, subjects, { client, version, sandbox })
  const { other } = options
  let made: Promise<Credentials> | undefined
  return {
    ...{ target, version, subjects, client, sandbox, stateless, stage, absent, receiver },
    localize: (text) =>
      accessToken === undefined ? text : text.replaceAll(readyAccessToken, accessToken),
    other: () => {
      made ??= other ? Promise.resolve(other) : createOther(stage, sandbox)
      return made
    },
  }
}

/** A client that the sandbox API makes. */
async function createOther(stage: Stage, sandbox: boolean): Promise<Credentials> {
  if (!sandbox) throw new NotJudged('needs a second client: --other-client-id')
  const created = (await stage.call('sandboxClientCreate', {})) as Record<string, string>
  return { clientId: created['client_id'] ?? '', secret: created['secret'] ?? '' }
}

interface Caller {
  client: Credentials
  version: Version
}

function stageOf(
  target: Target,
  subjects: readonly Subject[],
  { client, version, sandbox }: Caller & { sandbox: boolean },
): Stage {
  const paths = new Map<string, string>(
    Object.entries(undatedOperations).map(([id, row]) => [id, row.path]),
  )
  for (const { operationId, path } of subjects) paths.set(operationId, path)
  const pathOf = (operationId: string) => paths.get(operationId) ?? ''
  const headers = target.headers(client, version)
  return {
    pathOf,
    headers,
    async call(operationId, body) {
      if (operationId.startsWith('sandbox') && !sandbox) {
        throw new NotJudged(`needs the sandbox API (${operationId})`)
      }
      const text = JSON.stringify(body)
      const sending = { path: pathOf(operationId), method: 'POST', headers }
      const answered = await target.send({ ...sending, body: new TextEncoder().encode(text) })
      if (answered.status === 200) return answered.body
      const { status, code = '' } = answered
      throw new SetupFailed(`${operationId} answered ${status} ${code}`.trim())
    },
  }
}

async function statusOf(target: Target, path: string, { client, version }: Caller) {
  const headers = target.headers(client, version)
  const body = new TextEncoder().encode('{}')
  return (await target.send({ path, method: 'POST', headers, body })).status
}

/** Asks the first operation that needs nothing but credentials. */
async function requireCredentials(
  target: Target,
  subjects: readonly Subject[],
  { client, version }: Caller,
): Promise<void> {
  const [subject] = subjects.filter(({ oauth }) => oauth)
  if (!subject) return
  const body = new TextEncoder().encode(JSON.stringify(subject.requests[0]?.value ?? {}))
  const headers = target.headers(client, version)
  let code: string | undefined
  try {
    code = (await target.send({ path: subject.path, method: 'POST', headers, body })).code
  } catch (error) {
    throw new CannotBegin(`${target.base}: ${(error as Error).message}`)
  }
  if (code !== 'invalid_client') return
  throw new CannotBegin('the service rejects the client id and the secret')
}
