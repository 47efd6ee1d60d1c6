import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** How long idle connections and unfinished requests have at shutdown. */
const senderGraceMs = 3000
/** How long running responses have. Supervisors usually kill a process after ten seconds. */
const answerGraceMs = 8000
/** How long responses carry `Connection: close` before connections are closed. */
const leaveMs = 500
const checkAgainMs = 10
const letInMs = 200
const tooLong = 413

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Takes no new connections, asks clients with their next answer to leave, and waits for that a
     * little: a connection that is closed between two requests may be closed while the second one
     * is on its way.
     */
    askToLeave(): Promise<void>
  }
}

/**
 * Lets connections end with the service: each closes after the answer that is under way, which
 * would else be kept for a next request, and the remaining ones are closed after a time limit.
 */
export function endConnections(app: FastifyInstance): void {
  const sockets = new Set<Socket>()
  const answers = new Set<ServerResponse>()
  const timers: NodeJS.Timeout[] = []
  let leaving = false
  let connected = 0
  function forget(this: ServerResponse): void {
    answers.delete(this)
  }

  app.server.on('connection', (socket) => {
    connected += 1
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  // At this hook the whole request has arrived.
  app.addHook('preHandler', (_request, { raw }, done) => {
    answers.add(raw)
    raw.once('close', forget)
    done()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (leaving) reply.header('Connection', 'close')
    // The rest of a body that is too long is read and discarded: closing the connection earlier
    // could lose the response.
    else if (reply.statusCode === tooLong) reply.removeHeader('connection')
    done()
  })

  /** Accepts the pending connections, which closing the sockets would reset. */
  async function letIn(): Promise<void> {
    const until = performance.now() + letInMs
    let before: number
    do {
      before = connected
      await nextTurn()
      await nextTurn()
    } while (connected > before && performance.now() < until)
  }

  function cutSenders(): void {
    const served = new Set([...answers].map(({ socket }) => socket))
    for (const socket of sockets) if (!served.has(socket)) socket.destroy()
  }

  app.addHook('preClose', async () => {
    leaving = true
    timers.push(setTimeout(cutSenders, senderGraceMs))
    timers.push(setTimeout(() => app.server.closeAllConnections(), answerGraceMs))
  })
  app.addHook('onClose', async () => {
    for (const timer of timers) clearTimeout(timer)
  })
  app.decorate('askToLeave', async () => {
    await letIn()
    app.stopListening()
    // Only now: who is asked to leave connects again, and may be pending when the sockets close.
    leaving = true
    const until = performance.now() + leaveMs
    while (performance.now() < until && sockets.size > 0) await sleep(checkAgainMs)
  })
}
