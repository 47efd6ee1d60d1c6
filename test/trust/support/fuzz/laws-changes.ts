import {
  type Change,
  disagreements,
  leftOutAndChanged,
  sayings,
  strayChanges,
  unlikeSaid,
} from './frame.ts'
import { quiet } from './laws-tools.ts'
import { type Picture, type Read, readsOf, takePicture } from './picture.ts'
import type { Session } from './session.ts'
import type { Body, Subject } from './subjects.ts'
import { changedIn } from './target.ts'

/** A call that is known once the ones before it are done. */
export type Ask = () => { subject: Subject; body: Body; version: string | undefined }

/** What concerns a whole tenant, or several: any of its things may be another afterwards. */
const changesAll = /^(oauth|sandboxClock|sandboxReset|sandboxClientCreate|sandboxError)/

export const isWatchable = ({ id }: Subject): boolean => !changesAll.test(id)

/** Each of some calls changes what it names, as it says, and nothing besides. */
export async function watchChanges(
  session: Session,
  who: number,
  calls: readonly Ask[],
): Promise<void> {
  const { target, memory } = session
  await quiet(session, who)
  const reads = readsOf(session, who)
  const look = async (): Promise<Picture> => {
    await target.settle()
    return takePicture(session, who, reads)
  }
  const neighbour = session.tenants[(who + 1) % session.tenants.length]?.clientId ?? ''
  const isName = (text: string) => text.length > 5 && memory.find(text) !== undefined
  await readTwice(session, who, reads)
  let before = await look()
  check(session, 'agree', disagreements(before))
  for (const ask of calls) {
    const { subject, body, version } = ask()
    const theirs = await target.digest(neighbour)
    const { status, json } = await session.ask(subject.id, who, body, version)
    const after = await look()
    const changed = changedIn(theirs, await target.digest(neighbour))
    if (changed.length > 0) {
      session.fail(`changes: ${subject.id} changes what is another tenant's: ${changed}`)
    }
    const isDone = status === 200
    const answer = (isDone ? json : {}) as Body
    const request = isDone ? body : {}
    const change: Change = { path: subject.path, request, answer, isName, before, after }
    check(session, `changes: ${subject.id} does not name it`, strayChanges(change))
    check(session, 'agree', disagreements(after))
    if (isDone) checkDone(session, subject, change)
    before = after
    if (!isDone || !subject.isRepeatable) continue
    await session.ask(subject.id, who, body, version)
    before = await look()
    const again = { ...change, request: {}, answer: {}, before: after, after: before }
    check(session, `repeats: ${subject.id} once more`, strayChanges(again))
  }
}

/** A first read may set up what it reads, and shows it as it then is. */
async function readTwice(session: Session, who: number, reads: readonly Read[]): Promise<void> {
  for (const read of reads) {
    const once = await takePicture(session, who, [read])
    await session.target.settle()
    const again = await takePicture(session, who, [read])
    check(session, 'agree', disagreements([...once, ...again]))
  }
}

function checkDone(session: Session, subject: Subject, change: Change): void {
  const unlike = sayings(change).flatMap(({ said, things }) =>
    things.flatMap((one) => unlikeSaid(said, one)),
  )
  check(session, `says: ${subject.id} said another thing`, unlike)
  if (subject.keepsTheRest)
    check(session, `keeps: ${subject.id} left it out`, leftOutAndChanged(change))
}

function check(session: Session, words: string, found: readonly string[]): void {
  if (found[0] !== undefined) session.fail(`${words}: ${found[0]}`)
}
