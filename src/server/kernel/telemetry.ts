/** What is known of a request, which grows while it is handled; nothing of its body or its URL. */
export interface RequestTrace {
  readonly requestId: string
  readonly method: string
  /** The header of W3C Trace Context, as it came. */
  readonly traceparent: string | undefined
  /** The operation; of what is none, the part of the service that answers it. */
  operation: string
  clientId: string | undefined
  version: string | undefined
  errorCode: string | undefined
  /** Whether its error was injected, and so is no fault of the service. */
  injected: boolean
  /** Whether it was rejected because of overload. */
  shed: boolean
}

/** The trace of a request that has just come. */
export const newRequestTrace = (
  known: Pick<RequestTrace, 'requestId' | 'method' | 'operation'> & Partial<RequestTrace>,
): RequestTrace => ({
  traceparent: undefined,
  clientId: undefined,
  version: undefined,
  errorCode: undefined,
  injected: false,
  shed: false,
  ...known,
})

/** How a request ended. */
export interface RequestEnd {
  /** Undefined when the connection ended before the answer was sent. */
  status: number | undefined
  ms: number
  /** The length of the answer's body. */
  bytes: number
}

/** What is done in the database at once: a transaction, a read of several statements, or of one. */
export type DatabaseWork = 'transaction' | 'read' | 'statement'

interface DatabaseEnd {
  /** The wait before the work: in the queue of SQLite, or for a connection. */
  waitedMs: number
  ms: number
  /** How often it was begun. */
  tries: number
  failed: boolean
}

interface DatabaseWatch {
  begun(): void
  ended(end: DatabaseEnd): void
}

/** One attempt to deliver a webhook. */
export interface DeliveryAttempt {
  clientId: string
  webhookId: string
  /** Type and code, as in `TRANSACTIONS.DEFAULT_UPDATE`. */
  webhook: string
  url: string
  /** The first one is 1. */
  attempt: number
  status: number | null
  error: string | null
  ms: number
  /** What the delivery is now. */
  outcome: 'pending' | 'delivered' | 'failed'
}

/** Credentials that were wrong, or that were not looked at since too many were before. */
export interface DeniedCredentials {
  kind: 'secret' | 'public_key' | 'bearer_token'
  /** The client that their sender claims to be; any text. */
  claimed: string | undefined
  /** Whether there is such a client. */
  isClient: boolean
  peer: string | undefined
  /** Whether a proxy seems to have passed it on. */
  forwarded: boolean
  limited: boolean
}

/** A file whose import has ended. */
export interface EndedImport {
  clientId: string
  /** Null where nothing was imported. */
  itemId: string | null
  format: string
  /** `partial`: a statement was left out, or the file tells something that was lost. */
  result: 'whole' | 'partial' | 'nothing' | 'failed'
  /** How many rows became what, such as `new` or `known`. */
  rows: Readonly<Record<string, number>>
  ms: number
}

/** A read of an Item from its source that has ended. */
export interface EndedPull {
  clientId: string
  itemId: string
  connector: string
  /**
   * `done`, or why not: `login` and `setup` wait for the user, `limit` and `outage` for the source;
   * `lost`: another process has taken over, or the Item was removed; `failed`: a bug or the database.
   */
  result: 'done' | 'login' | 'setup' | 'limit' | 'outage' | 'lost' | 'failed'
  /** Without addresses and secrets. */
  reason?: string | undefined
  /** How many rows became what, such as `new` or `known`. */
  rows: Readonly<Record<string, number>>
  ms: number
}

/** What observes the service: metrics, traces, the log. No function may throw, and the service awaits none. */
export interface Telemetry {
  /** A request has come; what is returned is called once when it ends. */
  request(trace: RequestTrace): (end: RequestEnd) => void
  /** Runs the answer of a request, so that what happens within is known to be part of it. */
  within<Result>(trace: RequestTrace, work: () => Result): Result
  /** Something waits for the database. */
  database(kind: DatabaseWork): DatabaseWatch
  delivery(attempt: DeliveryAttempt): void
  denied(credentials: DeniedCredentials): void
  imported(ended: EndedImport): void
  pulled(ended: EndedPull): void
  /** Hands on what it still holds. */
  close(): Promise<void>
}

/** Tells several at once; each needs no more than what it wants to know. */
export function combine(parts: readonly Partial<Telemetry>[]): Telemetry {
  const requests = parts.flatMap(({ request }) => request ?? [])
  const databases = parts.flatMap(({ database }) => database ?? [])
  const deliveries = parts.flatMap(({ delivery }) => delivery ?? [])
  const denials = parts.flatMap(({ denied }) => denied ?? [])
  const imports = parts.flatMap(({ imported }) => imported ?? [])
  const pulls = parts.flatMap(({ pulled }) => pulled ?? [])
  // Only traces want to know what belongs to what.
  const within = parts.find((part) => part.within)?.within
  return {
    request: (trace) => toAll(requests.map((begin) => begin(trace))),
    within: within ?? ((_trace, work) => work()),
    database(kind) {
      const watches = databases.map((watch) => watch(kind))
      return {
        begun() {
          for (const watch of watches) watch.begun()
        },
        ended: toAll(watches.map(({ ended }) => ended)),
      }
    },
    delivery: toAll(deliveries),
    denied: toAll(denials),
    imported: toAll(imports),
    pulled: toAll(pulls),
    async close() {
      await Promise.all(parts.map(({ close }) => close?.()))
    },
  }
}

const toAll =
  <News>(listeners: readonly ((news: News) => void)[]) =>
  (news: News): void => {
    for (const tell of listeners) tell(news)
  }

/** Tells nobody, as in tests. */
export const noTelemetry: Telemetry = combine([])
