import type { ErrorKey } from '../../../generated/errors.ts'
import type { BearerToken, ClientRow, Context } from '../kernel/context.ts'
import type { Queries } from '../kernel/database.ts'
import { ApiError } from '../kernel/errors.ts'
import { newId, nextSequence } from '../kernel/ids.ts'
import type { Service } from '../kernel/service.ts'
import type { EndedImport } from '../kernel/telemetry.ts'
import { toTimestamp } from '../kernel/time.ts'
import { insertJob } from '../queue/job-store.ts'
import { insertListened, isListenedTo } from '../queue/listened-store.ts'
import { sealBody } from '../queue/seal-body.ts'
import { insertDelivery } from '../queue/webhook-store.ts'
import type { WithoutPermit } from './concurrency-limiter.ts'

/** The client, the time and the token for a context. */
interface ContextInput {
  client: ClientRow
  /** The client's time in ms. */
  now: number
  bearer?: BearerToken | undefined
}

/** A context, and the work of its handler that follows the commit. */
export interface OpenContext {
  ctx: Context
  afterCommit: ((withoutPermit: WithoutPermit) => Promise<void>)[]
  /** Whether rows were written that the runner must process. */
  hasWork(): boolean
  /** Tells of imports that are committed. */
  tellImports(): void
  /** The endpoints of the webhooks that were written. */
  urls: ReadonlySet<string>
}

/** Creates the context of a handler or a job. */
export function createContext(service: Service, db: Queries, input: ContextInput): OpenContext {
  const { client, now, bearer } = input
  const { environment } = service.settings
  const afterCommit: OpenContext['afterCommit'] = []
  const urls = new Set<string>()
  const imports: EndedImport[] = []
  let hasWork = false
  const ctx: Context = {
    db,
    own: ofClient(db, client.client_id),
    client,
    bearer,
    now: toTimestamp(now),
    nowMs: now,
    settings: service.settings,
    publicUrl: service.publicUrl(),
    docsUrl: service.docsUrl(),
    keys: service.keys,
    singleton: service.singleton,
    newId: (kind) => newId(kind, environment, service.bytes),
    nextSequence: () => nextSequence(service.clock()),
    async emit(name, fields, target) {
      const { url, tamper = null } = target
      const isHeard = isListenedTo(client, service.clock())
      if (url === null && !isHeard) return
      const [webhook_type, webhook_code] = name.split('.') as [string, string]
      const text = JSON.stringify({ webhook_type, webhook_code, ...fields, environment }, null, 2)
      const body = sealBody(service.keys, webhook_type, text)
      const webhook = { webhook_id: ctx.newId('uuid'), webhook_type, webhook_code, body }
      if (url !== null) {
        hasWork = true
        urls.add(url)
        await insertDelivery(ctx, { ...target, ...webhook, url })
      }
      if (isHeard) await insertListened(ctx, { ...webhook, tamper })
    },
    async schedule(kind, payload, delayMs = 0) {
      hasWork = true
      // Rows are due in real time, so the runner needs no client clocks.
      await insertJob(ctx, { kind, payload, due_at: now - client.clock_offset_ms + delayMs })
    },
    realMs: service.clock,
    tellImport: (ended) => void imports.push(ended),
    beginDueWork() {
      hasWork = true
    },
    finishPull(itemId) {
      afterCommit.push(async (withoutPermit) => {
        // The source may take long, and the permit is for what the service does itself.
        let failure: ErrorKey | undefined
        await withoutPermit(async () => {
          failure = await service.runner.pull(client.client_id, itemId)
        })
        if (failure) throw new ApiError(failure)
      })
    },
    finishDueWork: () => void afterCommit.push(() => service.runner.runDue(client.client_id)),
  }
  const tellImports = () => {
    for (const ended of imports) service.telemetry.imported(ended)
  }
  return { ctx, afterCommit, hasWork: () => hasWork, tellImports, urls }
}

/** The same functions, with the client's id before the other values. */
const ofClient = (db: Queries, clientId: string): Queries => ({
  ...db,
  all: (sql, values = []) => db.all(sql, [clientId, ...values]),
  first: (sql, values = []) => db.first(sql, [clientId, ...values]),
  run: (sql, values = []) => db.run(sql, [clientId, ...values]),
})
