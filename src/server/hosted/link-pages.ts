import { ApiError } from '../kernel/errors.ts'
import { readPageKey } from '../kernel/page-key.ts'
import type { Service } from '../kernel/service.ts'
import { hostedLinkPath } from '../link/hosted-page.ts'
import { RejectedAnswer } from '../sources/connector.ts'
import { readAsClient, writeAsClient } from './as-client.ts'
import { askingStep } from './asking.ts'
import { comeBack, sessionOfState } from './come-back.ts'
import { readCookie } from './cookie.ts'
import { createSay } from './failure-pages.ts'
import { openPage } from './open-page.ts'
import type { Answering, HostedPages, PageAnswer, PageRequest } from './page-request.ts'
import { addressOf } from './session-address.ts'
import { type Asked, sessionPage } from './session-page.ts'
import { type Begun, clearWork, settleWork } from './settle-work.ts'
import { toLinkRejection } from './steps/rejection.ts'
import { inLanguages } from './texts/in-language.ts'
import type { Settle, Ways } from './visit.ts'
import { websitePage } from './website-page.ts'

/**
 * A browser that goes back to the answer of a form asks whether to send the form again. So a form
 * whose page cannot be answered leads to the page of its address, which says why.
 */
const toGet = (answer: PageAnswer, { isWrite }: PageRequest, address: string): PageAnswer =>
  isWrite && 'html' in answer ? { location: address } : answer

/** The pages of link tokens. */
export function createLinkPages(service: Service, ways: Ways): Answering<HostedPages> {
  const isSandbox = service.settings.environment === 'sandbox'
  const say = createSay(isSandbox)
  return {
    async open(key, request) {
      const texts = inLanguages(request.languages)
      if (request.isWrite && !request.isSameOrigin) return say(403, texts, 'foreign')
      const answer = (await openKey(key, request)) ?? say(404, texts, 'unknown')
      return toGet(answer, request, `${hostedLinkPath}/${encodeURIComponent(key)}`)
    },
    async step(sessionId, step, request) {
      const texts = inLanguages(request.languages)
      if (request.isWrite && !request.isSameOrigin) return say(403, texts, 'foreign')
      const answer = (await openStep({ sessionId, step }, request)) ?? say(404, texts, 'unknown')
      return toGet(answer, request, addressOf(sessionId, step))
    },
    async comeBack(request) {
      const texts = inLanguages(request.languages)
      if (request.isWrite) return say(403, texts, 'foreign')
      return (await answerWebsite(request)) ?? say(404, texts, 'unknown')
    },
    async website({ languages, query }) {
      const texts = inLanguages(languages)
      const state = query.get('state') ?? ''
      if (!isSandbox || sessionOfState(state) === undefined) return say(404, texts, 'unknown')
      return websitePage(texts, state)
    },
  }

  async function openKey(key: string, request: PageRequest): Promise<PageAnswer | undefined> {
    const read = readPageKey(key)
    if (!read) return undefined
    return writeAsClient(service, read.clientId, (ctx) => openPage(ctx, read.secret, request, ways))
  }

  async function openStep(
    { sessionId, step }: Omit<Asked, 'secret'>,
    request: PageRequest,
  ): Promise<PageAnswer | undefined> {
    const key = readCookie(request.cookies, { publicUrl: service.publicUrl(), sessionId })
    if (!key) return say(404, inLanguages(request.languages), 'elsewhere')
    const asked = { sessionId, step, secret: key.secret }
    return takeStep(key.clientId, asked, request).catch((error: unknown) => {
      // An institution or Item that was removed meanwhile: nothing was written.
      if (!(error instanceof ApiError)) throw error
      return { location: addressOf(sessionId, 'gone') }
    })
  }

  /** Other sites send the browser here, so the state says whether the session waits for them. */
  async function answerWebsite(request: PageRequest): Promise<PageAnswer | undefined> {
    const texts = inLanguages(request.languages)
    const sessionId = sessionOfState(request.query.get('state') ?? '')
    if (sessionId === undefined) return say(404, texts, 'returnUnknown')
    const key = readCookie(request.cookies, { publicUrl: service.publicUrl(), sessionId })
    if (!key) return say(404, texts, 'elsewhere')
    const asked = { sessionId, step: askingStep({ ways }), secret: key.secret }
    const found = await readAsClient(service, key.clientId, (ctx) =>
      comeBack(ctx, ways, asked, request),
    )
    if (!found || 'answer' in found) return found?.answer
    const sent = { ...request, isWrite: true, query: new URLSearchParams(), form: found.form }
    return takeStep(key.clientId, asked, sent)
  }

  async function takeStep(clientId: string, asked: Asked, request: PageRequest) {
    const run = request.isWrite ? writeAsClient : readAsClient
    try {
      const answer = await run(service, clientId, (ctx) => sessionPage(ctx, ways, asked, request))
      return answer && 'later' in answer ? await finish(clientId, asked, request, answer) : answer
    } catch (error) {
      if (!(error instanceof RejectedAnswer)) throw error
      // What could not be linked has left nothing: its transaction is undone.
      const turn = Number(request.form.get('turn'))
      const settle: Settle = { outcome: (visit) => toLinkRejection(visit, error) }
      return writeAsClient(service, clientId, (ctx) =>
        settleWork(ctx, ways, { asked, request, turn, settle }),
      )
    }
  }

  /** Does what a form asks for outside of any transaction, and shows what it leads to. */
  async function finish(
    clientId: string,
    asked: Asked,
    request: PageRequest,
    { later, turn }: Begun,
  ): Promise<PageAnswer | undefined> {
    try {
      const settle = await later.work(service)
      return await writeAsClient(service, clientId, (ctx) =>
        settleWork(ctx, ways, { asked, request, turn, settle }),
      )
    } catch (error) {
      // If this fails too, the user can go on once the work has taken too long.
      await writeAsClient(service, clientId, (ctx) => clearWork(ctx, asked, turn)).catch(() => {})
      throw error
    }
  }
}
