import { isDeepStrictEqual } from 'node:util'
import { isAnsweredByOlder, leavesOf } from './frame.ts'
import { type Shown, thingsIn } from './picture.ts'
import type { Body, Subject } from './subjects.ts'

/** How each thing was when it was made. */
export interface Ledger {
  /** Notes what an answer has made, and returns what of it cannot be. */
  make(subject: Subject, request: Body, answer: Body, now: number): string[]
}

/** What says when a thing was made. */
const birth = /^(created|created_at|date_generated)$/
/** What is another for each; only the first session was opened from somewhere. */
const ownOfEach = /^(id|previous_\w+_id|\w+_url|\w+_at)$|ip_address$/

export function createLedger(): Ledger {
  const first = new Map<string, Shown>()

  /** A thing that follows another begins as that one did. */
  function judgeFollower({ kind, fields }: Shown): string[] {
    const [, id] = Object.entries(fields).find(([name]) => /^previous_\w+_id$/.test(name)) ?? []
    const before = first.get(`${kind} ${id}`)
    if (!before || !isDeepStrictEqual(before.fields['template'], fields['template'])) return []
    const now = new Map(leavesOf(fields).map(({ path, value }) => [path.join('.'), value]))
    // More may be known of the user since.
    return leavesOf(before.fields)
      .filter(({ path, value }) => value !== null && !ownOfEach.test(path.join('.')))
      .map(({ path, value }) => ({ name: path.join('.'), value }))
      .filter(({ name, value }) => now.get(name) !== value)
      .map(({ name }) => `follows: \`${name}\` of a ${kind} is not as that before it began`)
  }

  return {
    make(subject, request, answer, now) {
      if (isAnsweredByOlder(request)) return []
      const text = JSON.stringify(request)
      const things = thingsIn(answer, subject.path, subject.id)
      const made = things.filter(({ kind, id }) => !first.has(`${kind} ${id}`))
      // Who shows the token of an Item changes that Item.
      const isNamed = ({ kind, id }: Shown) =>
        text.includes(JSON.stringify(id)) || (kind === 'item' && 'access_token' in request)
      const isNew = (one: Shown) => !isNamed(one)
      for (const one of made) if (isNew(one)) first.set(`${one.kind} ${one.id}`, one)
      return made.filter(isNew).flatMap((one) => [...judgeBirth(one, now), ...judgeFollower(one)])
    },
  }
}

/** What is made now says so. */
const judgeBirth = ({ kind, fields }: Shown, now: number): string[] =>
  Object.entries(fields).flatMap(([name, value]) =>
    birth.test(name) && Math.abs(Date.parse(String(value)) - now) >= 1000
      ? [`times: a ${kind} is made now, and \`${name}\` is ${value}`]
      : [],
  )
