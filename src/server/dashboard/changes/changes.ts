import { Readable } from 'node:stream'
import { ApiError } from '../../kernel/errors.ts'
import type { PipelineService } from '../../pipeline/pipeline-service.ts'
import { findSession, type SessionRow } from '../../users/dashboard-access-store.ts'
import { hashAccessKey } from '../../users/dashboard-sign-in.ts'
import { openVisit, requireClient, type SignedIn } from '../answer-page.ts'
import { isOwnPage, type Sender } from '../sender.ts'
import { readTopic, topicsOf } from './topics.ts'

/** Tells browsers which lists to fetch again. */
export interface Changes {
  /** The events of a client's lists. An operator names the client. @throws ApiError */
  open(sender: Sender, clientId: string | undefined): Promise<Readable>
  /** Ends all streams. */
  stop(): void
}

interface Stream {
  clientId: string
  sessionHash: string
  role: SessionRow['role']
  topics: readonly string[]
  out: Readable
}

/** How often the lists are read while somebody watches them. */
export const lookEveryMs = 1500
/** Proxies end connections on which nothing is sent. */
const looksPerSign = 10
/** One for each client that an operator has open in other tabs. */
const mostOfSession = 4
const mostInProcess = 200
/** A browser that reads nothing. */
const mostUnsent = 16 * 1024
const retryMs = 5000

/**
 * Reads the lists that are watched every moment, and compares them with what they were. Thus a change
 * of another process is noticed too, and nothing is done where nobody watches.
 */
export function createChanges(service: PipelineService, everyMs = lookEveryMs): Changes {
  const streams = new Set<Stream>()
  /** The lists that are watched, by name and client, with what they showed at the last look. */
  const known = new Map<string, string>()
  let timer: NodeJS.Timeout | undefined
  let looks = 0
  let isStopped = false

  const end = (stream: Stream): void => {
    streams.delete(stream)
    // What a browser does not read has no end that it would come to.
    if (isUnread(stream)) stream.out.destroy()
    else stream.out.push(null)
  }

  async function look(): Promise<void> {
    looks += 1
    await endOver()
    const watched = new Map([...streams].flatMap((stream) => placesOf(stream)))
    for (const place of known.keys()) if (!watched.has(place)) known.delete(place)
    const changed = new Set<string>()
    for (const [place, { clientId, topic }] of watched) {
      const now = await readTopic(service.database.single, clientId, topic)
      if (known.has(place) && known.get(place) !== now) changed.add(place)
      known.set(place, now)
    }
    for (const stream of streams) tell(stream, changed)
  }

  /** Ends the streams whose session has ended, or whose user has another role now. */
  async function endOver(): Promise<void> {
    for (const stream of streams) {
      const { sessionHash, role } = stream
      const found = await findSession(service.database.single, sessionHash, service.clock())
      const isSame = found?.status === 'active' && found.role === role
      if (!isSame || isUnread(stream)) end(stream)
    }
  }

  function tell(stream: Stream, changed: ReadonlySet<string>): void {
    const { out } = stream
    const of = placesOf(stream).filter(([place]) => changed.has(place))
    const names = of.map(([, { topic }]) => topic)
    if (names.length > 0) out.push(`event: change\ndata: ${JSON.stringify(names)}\n\n`)
    else if (looks % looksPerSign === 0) out.push(':\n\n')
  }

  function plan(): void {
    if (timer || isStopped || streams.size === 0) return
    timer = setTimeout(() => {
      // A store that is away for a moment ends no stream: the next look finds what has changed.
      look()
        .catch(() => {})
        .finally(() => {
          timer = undefined
          plan()
        })
    }, everyMs).unref()
  }

  return {
    async open(sender, named) {
      if (!isOwnPage(sender, service.publicUrl())) throw new ApiError('FOREIGN_PAGE')
      const visit = await openVisit(service, sender, undefined, [])
      const { session, key } = visit
      if (!session || key === undefined) throw new ApiError('SIGN_IN_REQUIRED')
      const body = named === undefined ? {} : { client_id: named }
      const client = await requireClient(visit as SignedIn, body)
      const sessionHash = hashAccessKey(service.keys, 'session', key)
      const own = [...streams].filter((stream) => stream.sessionHash === sessionHash)
      if (isStopped || own.length >= mostOfSession || streams.size >= mostInProcess) {
        throw new ApiError('RATE_LIMIT', { retryAfter: retryMs / 1000 })
      }
      const out = new Readable({ read: () => {} })
      const { client_id: clientId } = client
      const topics = topicsOf(session.role)
      const stream: Stream = { clientId, sessionHash, role: session.role, topics, out }
      streams.add(stream)
      out.once('close', () => streams.delete(stream))
      // What changed before this moment is told by the first answers of the lists.
      for (const [place, { topic }] of placesOf(stream)) {
        if (known.has(place)) continue
        known.set(place, await readTopic(service.database.single, clientId, topic))
      }
      out.push(`retry: ${retryMs}\nevent: open\ndata: ${JSON.stringify(topics)}\n\n`)
      plan()
      return out
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
      for (const stream of [...streams]) end(stream)
    },
  }
}

const isUnread = ({ out }: Stream): boolean => out.readableLength > mostUnsent

type Place = readonly [place: string, of: { clientId: string; topic: string }]

/** The lists that a stream is about. */
const placesOf = ({ clientId, topics }: Pick<Stream, 'clientId' | 'topics'>): Place[] =>
  topics.map((topic) => [`${topic} ${clientId}`, { clientId, topic }])
