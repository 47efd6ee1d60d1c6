import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../kernel/errors.ts'
import { createHostRule } from './host-rule.ts'
import { createOriginRule } from './origin-rule.ts'

export interface Callers {
  /** The hosts that the service is reached as, besides those that no page can take for its own. */
  hosts?: readonly string[]
  /** The origins whose pages may call the service, besides its own. */
  origins?: readonly string[]
  /** Whether pages on loopback may call it too. */
  loopback?: boolean
}

interface Checks extends Callers {
  publicUrl(): string
  /** The paths that answer errors in the form of RFC 6749. */
  oauthPaths: readonly string[]
}

/** Asked for by whatever looks after the process, which may know no name of the service. */
const healthRoutes: readonly (string | undefined)[] = ['/livez', '/readyz']

/**
 * Rejects a request that a foreign web page may have sent, before anything is done for it: browsers
 * send some without asking first. The headers that HTTP itself has rules for are checked here too.
 */
export function checkCallers(app: FastifyInstance, checks: Checks): void {
  const { hosts = [], origins = [], loopback = true, publicUrl, oauthPaths } = checks
  const isHost = createHostRule(hosts, publicUrl)
  const isOrigin = createOriginRule({ named: origins, loopback, publicUrl })

  function findFault({ raw, headers, routeOptions }: FastifyRequest): string | undefined {
    const { host, origin, expect } = headers
    if (expect !== undefined && !isMet(expect)) return expectFault
    if (countHosts(raw.rawHeaders) > 1) return 'the header `Host` must be given once'
    const isKnown = host !== undefined && isHost(host)
    if (!isKnown && !healthRoutes.includes(routeOptions.url)) {
      return host === undefined ? 'the header `Host` must be given' : hostFault
    }
    // A page whose name was rebound is of the same origin as a host that nobody has checked.
    const isAllowed = origin === undefined || isOrigin(origin, isKnown ? host : undefined)
    return isAllowed ? undefined : originFault
  }

  // Node would answer these itself, without a body.
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response)
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const message = findFault(request)
    if (message === undefined) return done()
    const isOAuth = oauthPaths.includes(request.routeOptions.url ?? '')
    done(new ApiError(isOAuth ? 'oauth.invalid_request' : 'INVALID_HEADERS', { message }))
  })
}

const expectFault = 'the header `Expect` must be `100-continue`, or left out'
const hostFault =
  'the header `Host` must be an IP address, a name without a dot, a name under `.localhost` or `.internal`, or a host of PUBLIC_URL or ALLOWED_HOSTS'
const originFault =
  'the header `Origin` names a page that may not call this service; CORS_ORIGIN lists the origins that may'

const isMet = (expect: string): boolean => expect.toLowerCase() === '100-continue'

/** Node keeps the first of several. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}
