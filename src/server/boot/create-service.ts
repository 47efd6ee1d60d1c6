import type { FastifyInstance } from 'fastify'
import { productionPaths, paths as undatedPaths } from '../../../generated/undated.ts'
import { createAgentDoor } from '../agents/agent-door.ts'
import { resourceMetadataPath, toResourceMetadata } from '../agents/challenge.ts'
import type { RateLimitsMode } from '../config/config.ts'
import { createPages } from '../dashboard/answer-page.ts'
import { createChanges } from '../dashboard/changes/changes.ts'
import type { StoredCalls } from '../dashboard/page-handler.ts'
import {
  createIdentityProvider,
  type ProviderSettings,
} from '../dashboard/provider/identity-provider.ts'
import { migrate } from '../db/migrate.ts'
import { watchWrites } from '../db/watch-writes.ts'
import { createHostedPages, createVerifyPages } from '../hosted/hosted-pages.ts'
import { createApp } from '../http/app.ts'
import type { Callers } from '../http/check-host-and-origin.ts'
import { identityVerificationImage } from '../identity-verification/identity-verification-image.ts'
import { createClockGuard } from '../kernel/clock-guard.ts'
import type { Settings } from '../kernel/context.ts'
import type { Database } from '../kernel/database.ts'
import { type Bytes, newRequestId } from '../kernel/ids.ts'
import { usualKeptCalls } from '../kernel/kept-calls.ts'
import type { Keys } from '../kernel/keys.ts'
import type { Log } from '../kernel/log.ts'
import type { Readiness } from '../kernel/readiness.ts'
import { runAll } from '../kernel/run-all.ts'
import { noRunner } from '../kernel/service.ts'
import { createSingletons } from '../kernel/singletons.ts'
import { noTelemetry, type Telemetry } from '../kernel/telemetry.ts'
import { createOutlet } from '../outlet/outlet.ts'
import { createNews } from '../pipeline/await-news.ts'
import {
  type ConcurrencyLimiter,
  createConcurrencyLimiter,
  most,
  mostOfClient,
  type WithoutPermit,
} from '../pipeline/concurrency-limiter.ts'
import { commonShare, createFairShares } from '../pipeline/fair-shares.ts'
import { createGuessLimits } from '../pipeline/guess-limits.ts'
import { noFaults } from '../pipeline/injected-fault.ts'
import { createPipeline } from '../pipeline/pipeline.ts'
import type { AnswerCheck, PipelineService } from '../pipeline/pipeline-service.ts'
import { createRateLimits } from '../pipeline/rate-limits.ts'
import { createRequestLog } from '../pipeline/request-log.ts'
import { createTakeFault } from '../sandbox/world/take-fault.ts'
import type { Connectors } from '../sources/connector.ts'
import { agentPath } from '../tokens/agent-resource.ts'
import { toOAuthMetadata } from '../tokens/oauth-metadata.ts'
import { receiveNotice } from '../worker/pulls/receive-notice.ts'
import { createRunner } from '../worker/runner.ts'
import { callForClient } from './call-for-client.ts'
import { createDrainBarrier } from './drain-barrier.ts'
import { handlerTable, pageHandlers } from './handlers.ts'
import { noteLastUsed } from './last-used.ts'
import { createQuiesce, type Quiesce } from './quiesce.ts'
import { createReadiness } from './readiness.ts'
import { resendCall } from './resend-call.ts'
import { waysToLink } from './ways-to-link.ts'

/** What a service is made of. */
export interface ServiceParts {
  database: Database
  /** The keys, or what opens them once the tables are there. */
  keys: Keys | (() => Promise<Keys>)
  settings: Settings
  publicUrl(): string
  rateLimits: RateLimitsMode
  log: Log
  /** The folder of the built docs; without it there are a few pages in their place. */
  docs?: string | false | undefined
  /** The folder of the built pages of the dashboard; without it there are none. */
  dashboardFolder?: string | undefined
  /** Where the docs are, where that is not here; undefined where there are none. */
  docsUrl?: () => string | undefined
  clock?: () => number
  /** Where the bytes of new ids come from. Without it from chance. */
  bytes?: Bytes | undefined
  checkAnswer?: AnswerCheck | undefined
  /** The origins and hosts that are let in, besides those that always are. */
  callers?: Pick<Callers, 'origins' | 'hosts'>
  /** The proxies whose X-Forwarded-For is trusted, by their addresses and networks. */
  proxies?: readonly string[]
  telemetry?: Telemetry
  /** Where users of the dashboard can sign in, too. */
  provider?: ProviderSettings | undefined
  /** How users of the link page authorize in production. */
  connectors?: Connectors
}

/** A service that answers, once its app listens. */
export interface RunningService {
  service: PipelineService
  app: FastifyInstance
  quiesce: Quiesce
  readiness: Readiness
  /** How many requests are being answered, and how many wait. */
  limiter: Pick<ConcurrencyLimiter, 'running' | 'waiting'>
  /** Finishes what is in flight, and closes the database. Fails with the first failure, if any. */
  close(): Promise<void>
}

/** What waits for receivers, which costs little: it takes no place from others, and has its own. */
const waiting: ReadonlySet<string> = new Set(['sandboxClockAdvance'])
const mostWaiting = { all: 32, ofShare: 8 }
/** Each reads a file in a thread of its own. */
const mostUploads = { all: 8, ofShare: 2 }
/** Some are left for others where a client takes everything that it can. */
const mostAtOnce = { all: most, ofShare: mostOfClient }

/** Brings the database up to date and puts the parts together; nothing listens yet. */
export async function createService(parts: ServiceParts): Promise<RunningService> {
  const {
    settings,
    docs,
    publicUrl,
    docsUrl = () => `${publicUrl()}/docs`,
    callers,
    clock = Date.now,
  } = parts
  const clockGuard = createClockGuard({ clock, log: parts.log, settings })
  const { database, rejection } = watchWrites(parts.database, (own) =>
    noteLastUsed(own, clockGuard.now()),
  )
  await migrate(database)
  const keys = typeof parts.keys === 'function' ? await parts.keys() : parts.keys
  const { telemetry = noTelemetry } = parts
  const isSandbox = settings.environment === 'sandbox'
  const fairShares = createFairShares(keys.hash)
  const service: PipelineService = {
    ...parts,
    database,
    keys,
    clock,
    clockGuard,
    singleton: createSingletons(),
    takeFault: isSandbox ? createTakeFault(database) : noFaults,
    checkAnswer: parts.checkAnswer,
    rateLimits: createRateLimits(parts.rateLimits, database, clock),
    fairShares,
    docsUrl,
    fetch: globalThis.fetch,
    guessLimits: createGuessLimits(parts.rateLimits !== 'off', clock, telemetry),
    telemetry,
    // Replaced below: the runner needs the service.
    runner: noRunner,
  }
  service.runner = createRunner(service)
  const { count: mostKept } = settings.keptCalls ?? usualKeptCalls
  const requestLog = createRequestLog({ database, keys, clock, storesBodies: isSandbox, mostKept })
  const pipeline = createPipeline(service, handlerTable, requestLog)
  const stored: StoredCalls = {
    write: () => requestLog.write(),
    resend: (call) => resendCall(pipeline, call, docsUrl()),
  }
  const pages = createPages(
    service,
    pageHandlers,
    stored,
    parts.provider && createIdentityProvider(parts.provider, { publicUrl, log: parts.log }),
  )
  const agentDoor = createAgentDoor(service, {
    stored,
    run: (...call) => callForClient(pipeline, ...call),
  })
  const barrier = createDrainBarrier()
  const readiness = createReadiness({ single: database.single, rejection })
  const limiter = createConcurrencyLimiter(undefined, mostAtOnce)
  const uploadLimiter = createConcurrencyLimiter(undefined, mostUploads)
  const waitingLimiter = createConcurrencyLimiter(undefined, mostWaiting)
  const app = await createApp({
    onFault: (error, requestId) => parts.log.error(error, `the request ${requestId} failed`),
    answer: (request, context, trace) =>
      barrier.run(async () => {
        // The list holds every call that was answered before it was asked for.
        if (request.operationId === 'sandboxRequestList') await requestLog.flush()
        const run = (withoutPermit?: WithoutPermit) =>
          pipeline(request, context, trace, withoutPermit)
        request.share = fairShares.of(request)
        const own = waiting.has(request.operationId) ? waitingLimiter : limiter
        return own.run(run, request.share)
      }),
    limiter,
    shareOf: fairShares.of,
    telemetry: service.telemetry,
    readiness,
    newRequestId,
    publicUrl,
    docs,
    dashboardFolder: parts.dashboardFolder,
    docsUrl,
    callers: { ...callers, loopback: isSandbox },
    proxies: parts.proxies,
    undatedPaths: isSandbox ? undatedPaths : Object.assign({}, ...Object.values(productionPaths)),
    image: (path, address) =>
      limiter.run(() => identityVerificationImage(service, path), { ...commonShare, address }),
    hostedLink: {
      pages: createHostedPages(service, () => waysToLink(parts)),
      verify: createVerifyPages(service),
      run: (work, address) => barrier.run(() => limiter.run(work, { ...commonShare, address })),
      // Outside of the barrier, which must not wait for a slow network.
      runUpload: (work, address) => uploadLimiter.run(() => work(), { ...commonShare, address }),
    },
    dashboard: {
      changes: createChanges(service),
      answer: (request, context) =>
        barrier.run(() =>
          limiter.run(() => pages(request, context), {
            ...commonShare,
            address: request.sender.address,
          }),
        ),
    },
    simplefin: {
      outlet: createOutlet(service),
      run: (work, address) => barrier.run(() => limiter.run(work, { ...commonShare, address })),
    },
    sourceWebhooks: {
      receive: (key, notice) => receiveNotice(service, key, notice),
      // Outside of the barrier: it may wait for the source.
      run: (work, address) => limiter.run(work, { ...commonShare, address }),
    },
    agents: {
      path: agentPath,
      metadataPath: resourceMetadataPath,
      metadata: () => toResourceMetadata(publicUrl(), docsUrl(), settings.environment),
      answer: (message) =>
        barrier.run(() =>
          limiter.run((withoutPermit) => agentDoor(message, withoutPermit), {
            ...commonShare,
            address: message.address,
          }),
        ),
    },
    oauthMetadata: () => toOAuthMetadata(publicUrl(), docsUrl(), settings),
  })
  const { quiesce, settled } = createQuiesce(service, barrier, requestLog)
  return {
    service,
    app,
    quiesce,
    readiness,
    limiter,
    close: () =>
      runAll(
        () => readiness.drain(),
        settled,
        async () => service.singleton(createNews).stop(),
        () => app.close(),
        () => service.runner.abandon(),
        () => service.runner.stop(),
        () => requestLog.stop(),
        () => database.close(),
      ),
  }
}
