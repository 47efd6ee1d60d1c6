import { ApiError } from '../kernel/errors.ts'
import type { Service } from '../kernel/service.ts'
import { readPageKey } from '../link/page-key.ts'
import { readAsClient, writeAsClient } from './as-client.ts'
import type { Connector } from './connector.ts'
import { readCookie } from './cookie.ts'
import { toMessage } from './message-page.ts'
import { openPage } from './open-page.ts'
import type { HostedPages, PageAnswer } from './page-request.ts'
import { sessionPage } from './session-page.ts'
import { en } from './texts/en.ts'

/** The hosted pages of a service. Without a connector they say that there is nothing to link with. */
export function createHostedPages(service: Service, connector: Connector | undefined): HostedPages {
  return {
    async open(key, request) {
      if (request.isWrite && !request.isSameOrigin) return toMessage(403, en.foreign)
      const read = readPageKey(key)
      if (!read) return toMessage(404, en.unknown)
      const canLink = connector !== undefined
      const answer = await writeAsClient(service, read.clientId, (ctx) =>
        openPage(ctx, read.secret, request, canLink),
      )
      return answer ?? toMessage(404, en.unknown)
    },
    async step(sessionId, step, request) {
      if (request.isWrite && !request.isSameOrigin) return toMessage(403, en.foreign)
      const key = readCookie(request.cookies, { publicUrl: service.publicUrl(), sessionId })
      if (!connector || !key) return toMessage(404, en.elsewhere)
      const asked = { sessionId, step, secret: key.secret }
      const run = request.isWrite ? writeAsClient : readAsClient
      const answer = await run(service, key.clientId, (ctx) =>
        sessionPage(ctx, connector, asked, request),
      ).catch(whatIsGone)
      return answer ?? toMessage(404, en.unknown)
    },
    failure: (status) => toMessage(status, failures[status] ?? en.failure),
  }
}

const failures: Readonly<Record<number, typeof en.failure>> = {
  403: en.foreign,
  413: en.tooLarge,
  503: en.busy,
}

/** An institution or Item that was removed meanwhile: nothing was written. */
function whatIsGone(error: unknown): PageAnswer {
  if (error instanceof ApiError) return toMessage(410, en.gone)
  throw error
}
