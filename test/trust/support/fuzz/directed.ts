import { currentVersion } from '../../../../generated/versions.ts'
import { readWholeCatalogue } from '../../../../scripts/contract/catalogue.ts'
import { versions } from '../../../../scripts/contract/contract.ts'
import { type Replay, replayOf } from '../../../../src/conform/replay.ts'

import type { Call } from './call.ts'
import { fillBody, fillText, keepTold, type Told } from './placeholders.ts'
import { pairOf, type Reach } from './reach.ts'
import { createSession, type Ground, type Session, wellKnown } from './session.ts'
import { tellStories } from './stories.ts'
import type { Body, Subject } from './subjects.ts'
import { openTarget, type Target } from './target.ts'

/** Goes after what chance does not find: each pair of operation and code, on purpose. */
export async function runDirected(root: string, ground: Omit<Ground, 'target'>): Promise<void> {
  const { subjects, reach } = ground
  const world = await openTarget(root)
  const session = open(world, ground)
  for (const version of versions) await tellStories(session, version)
  for (const subject of inOrder(subjects)) await everyExample(session, subject)
  for (const subject of subjects.values()) await everyVersion(session, subject)
  await world.close()
  for (const key of Object.keys(catalogue)) {
    const replay = replayOf(catalogue[key]!)
    if (!replay || isInjected(replay)) continue
    for (const subject of subjects.values()) {
      const isListed = Object.values(subject.errors).flat().includes(key)
      if (isListed && !reach.has(pairOf(subject, key))) await borrow(root, ground, subject, replay)
    }
  }
  const last = await openTarget(root)
  for (const subject of subjects.values()) await injectRest(open(last, ground), subject, reach)
  await last.close()
}

const catalogue = readWholeCatalogue()

const open = (target: Target, ground: Omit<Ground, 'target'>): Session =>
  createSession({ ...ground, target }, [wellKnown()])

const setupOf = (replay: Replay) => (replay.setup ?? []).flatMap((step) => Object.entries(step))

const isInjected = (replay: Replay): boolean =>
  setupOf(replay).some(([id]) => id === 'sandboxErrorInject')

const plain = (subject: Subject, version: string | undefined, body: Body): Call => ({
  subject,
  who: 0,
  version,
  body,
  credentials: 'headers',
  bearer: undefined,
  trick: undefined,
  headerTrick: undefined,
  form: false,
})

/** What needs no state: errors before the fields and of them, and the examples. */
async function everyVersion(session: Session, subject: Subject): Promise<void> {
  for (const version of subject.isSandboxOperation ? [undefined] : versions) {
    const form = subject.forms[version ?? versions.at(-1) ?? '']
    const [example = {}] = form?.examples ?? []
    const call = plain(subject, version, example)
    const refused: Partial<Call>[] = [
      { body: { filler: 'x'.repeat(1024 * 1024) } },
      { trick: 'cut short' },
      { headerTrick: 'no type' },
      { credentials: 'none' },
      { credentials: 'wrong secret' },
      { bearer: 'sva-AAAAAAAAAAAAAAAAAAAAAA==' },
      { body: { ...example, x_new: 1 } },
      { body: { ...example, client_id: 5 } },
    ]
    for (const change of refused) await session.perform({ ...call, ...change })
    for (const error_code of ['INTERNAL_SERVER_ERROR', 'PLANNED_MAINTENANCE', limitOf(subject)]) {
      if (error_code === undefined) continue
      await session.ask('sandboxErrorInject', 0, { operation: subject.path, error_code })
      await session.perform(call)
    }
  }
}

/** What ends something comes last. */
const inOrder = (subjects: ReadonlyMap<string, Subject>): Subject[] =>
  [...subjects.values()].sort((one, other) => Number(isEnd(one)) - Number(isEnd(other)))

const isEnd = ({ id }: Subject): boolean =>
  /^(itemRemove|oauthRevoke|sandboxReset|sandboxItem(Set|Reset)\w+|sandboxErrorInject|sandboxWalletSimulate)$/.test(
    id,
  )

/** Every example, in every version that knows it. */
async function everyExample(session: Session, subject: Subject): Promise<void> {
  for (const version of subject.isSandboxOperation ? [undefined] : versions) {
    const examples = subject.forms[version ?? versions.at(-1) ?? '']?.examples ?? []
    for (const body of examples) await session.perform(plain(subject, version, body))
  }
}

const limitOf = (subject: Subject): string | undefined => subject.errors['429']?.[0]

/** Brings about the state in which one operation fails, and calls another that does so too. */
async function borrow(
  root: string,
  ground: Omit<Ground, 'target'>,
  subject: Subject,
  replay: Replay,
): Promise<void> {
  const target = await openTarget(root)
  const session = open(target, ground)
  const told: Told = new Map()
  for (const [id, body] of setupOf(replay)) {
    const answer = await session.ask(id, 0, fillBody(body as Body, told))
    keepTold(told, answer.json)
  }
  const asked = fillBody((replay.body ?? {}) as Body, told)
  const [example = {}] = subject.forms[currentVersion]?.examples ?? []
  const isOwn = replay.operationId === subject.id
  const same = Object.entries(asked).filter(([name]) => name in example)
  const body = isOwn
    ? asked
    : { ...example, ...Object.fromEntries(same), ...listed(asked, example) }
  const { Authorization } = replay.headers ?? {}
  const [, bearer] = /^Bearer (.*)$/.exec(fillText(Authorization ?? '', told)) ?? []
  const { 'Service-Version': version } = replay.headers ?? {}
  await session.perform({ ...plain(subject, version ?? undefined, body), bearer })
  await target.close()
}

/** Operations that take several Items or accounts get the one that is meant. */
function listed({ access_token }: Body, example: Body): Body {
  return access_token !== undefined && 'access_tokens' in example
    ? { access_tokens: [access_token] }
    : {}
}

/** What is left is asked for by its code. */
async function injectRest(session: Session, subject: Subject, reach: Reach): Promise<void> {
  const [example = {}] = subject.forms[currentVersion]?.examples ?? []
  for (const key of Object.values(subject.errors).flat()) {
    if (reach.has(pairOf(subject, key))) continue
    const asked = await session.ask('sandboxErrorInject', 0, {
      operation: subject.path,
      error_code: key,
    })
    const code =
      asked.status === 200 ? undefined : key.split('.').findLast((part) => /\D/.test(part))
    if (code) {
      await session.ask('sandboxErrorInject', 0, { operation: subject.path, error_code: code })
    }
    await session.perform(plain(subject, undefined, example))
  }
}
