import { WebhookVerificationError } from '../webhooks/error.ts'
import type {
  KnownWebhookEvent,
  WebhookEvent,
  WebhookEventOf,
  WebhookName,
} from '../webhooks/event.ts'
import type { KeySource } from '../webhooks/keys.ts'
import { verifyWebhook } from '../webhooks/verify-webhook.ts'
import { createArrivals } from './arrivals.ts'
import { type Arrived, listen } from './inbox-server.ts'

/** A webhook that arrived. */
export interface Delivery {
  /** The event, once it was verified; undefined for a delivery that has to be refused. */
  readonly event: WebhookEvent | undefined
  /** Why it has to be refused. */
  readonly refusal: WebhookVerificationError | undefined
  /** The body as it arrived. */
  readonly body: string
  /** The headers as Node has them: names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** How an inbox answers. */
export interface InboxAnswer {
  /** The HTTP status, from 200 to 599; unless set, 200 for what was verified, and what its refusal asks for otherwise. */
  status?: number
  /** Milliseconds to wait before the answer. */
  delayMs?: number
  /** Says nothing until the inbox is closed; the service gives up after ten seconds. */
  hang?: boolean
  /** For so many deliveries, and as usual after them; for those that come unless set. */
  times?: number
}

/** Names an event by its code, or by its type and code. */
export type EventName = WebhookName | KnownWebhookEvent['webhook_code']

/** The event of a name. */
export type EventNamed<Name extends EventName> = Name extends WebhookName
  ? WebhookEventOf<Name>
  : Extract<KnownWebhookEvent, { webhook_code: Name }>

/** What `next` may be told. */
export interface NextOptions {
  /** Milliseconds to wait for it: 5,000 unless set. */
  timeout?: number
}

/** A receiver of webhooks on this machine, which verifies what arrives. */
export interface Inbox {
  /** Where webhooks have to be sent. */
  readonly url: string
  /** Everything that arrived, verified or not, in the order of arrival. */
  readonly all: readonly Delivery[]
  /**
   * Resolves with the next event of a name, or the next one for which `is` holds: the earliest that
   * no other call was given. What arrived before the call counts.
   *
   * @throws Error when none came in time; it says what came instead.
   */
  next<Name extends EventName>(name: Name, options?: NextOptions): Promise<EventNamed<Name>>
  next<Event extends WebhookEvent>(
    is: (event: WebhookEvent) => event is Event,
    options?: NextOptions,
  ): Promise<Event>
  next(is?: (event: WebhookEvent) => boolean, options?: NextOptions): Promise<WebhookEvent>
  /** Forgets what arrived, and answers as usual again. */
  clear(): void
  /** Answers in another way from now on. */
  answer(how: InboxAnswer): void
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

// Taken before a test replaces it: signatures are of the real time.
const { now } = Date

/** Opens an inbox that fetches keys from `client`. */
export async function openInbox(
  client: KeySource,
  onClose: (inbox: Inbox) => void,
): Promise<Inbox> {
  const arrivals = createArrivals()
  let usual: InboxAnswer = {}
  const server = await listen(async (arrived) => {
    const delivery = await verify(arrived, client)
    arrivals.add(delivery)
    const { times, ...answer } = usual
    if (times !== undefined) usual = times > 1 ? { ...usual, times: times - 1 } : {}
    return { status: delivery.refusal?.status ?? 200, ...answer }
  })
  const inbox: Inbox = {
    url: server.url,
    get all() {
      return arrivals.all()
    },
    // The overloads say which event it is; here it is one that the caller has asked for.
    next: arrivals.next as Inbox['next'],
    clear() {
      usual = {}
      arrivals.clear()
    },
    answer(how) {
      checkStatus(how)
      usual = how.times === 0 ? {} : how
    },
    async close() {
      onClose(inbox)
      arrivals.end()
      await server.close()
    },
    [Symbol.asyncDispose]: () => inbox.close(),
  }
  return inbox
}

/** Refused at once, since Node would fail while it answers. */
function checkStatus({ status = 200 }: InboxAnswer): void {
  if (Number.isInteger(status) && status >= 200 && status <= 599) return
  throw new TypeError('`status` must be a whole number from 200 to 599')
}

async function verify({ body, headers }: Arrived, client: KeySource): Promise<Delivery> {
  const text = body.toString('utf8')
  try {
    const event = await verifyWebhook(body, headers, { client, now })
    return { event, refusal: undefined, body: text, headers }
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    return { event: undefined, refusal: error, body: text, headers }
  }
}
