import { appendFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { vi } from 'vitest'
import type { Admission, WireRequest } from '../../../../src/server/pipeline/check-request.ts'
import { createListener } from './telling.ts'

// Set-up of a run of the service's own tests: keeps what goes into the service and comes out of it,
// without a change to either.

const file = process.env['TRAFFIC_FILE'] ?? ''
const shared = globalThis as { trafficListener?: ReturnType<typeof createListener> }
shared.trafficListener ??= createListener()
const listener = shared.trafficListener

function keep(kind: string, about: string[], message: unknown, more: object = {}): void {
  const told = listener.hear([kind, ...about].join(' '), message)
  if (told === undefined) return
  appendFileSync(file, `${JSON.stringify({ kind, about, message: told, ...more })}\n`)
}

/** The version that a request was given, by its headers' object, which stays the same. */
const versions = new WeakMap<object, string>()

vi.mock('../../../../src/server/pipeline/check-request.ts', async (original) => {
  const real =
    (await original()) as typeof import('../../../../src/server/pipeline/check-request.ts')
  const checkRequest = (request: WireRequest, admission: Admission) =>
    real.checkRequest(request, {
      ...admission,
      choose(version) {
        versions.set(request.headers, version)
        admission.choose?.(version)
      },
    })
  return { ...real, checkRequest }
})

vi.mock('../../../../src/server/pipeline/create-context.ts', async (original) => {
  const real =
    (await original()) as typeof import('../../../../src/server/pipeline/create-context.ts')
  const createContext: typeof real.createContext = (service, db, input) => {
    const open = real.createContext(service, db, input)
    const { emit } = open.ctx
    open.ctx.emit = (name, fields, target) => {
      const [webhook_type, webhook_code] = name.split('.')
      const { environment } = service.settings
      keep('webhook', [name], { webhook_type, webhook_code, ...fields, environment })
      return emit(name, fields, target)
    }
    return open
  }
  return { ...real, createContext }
})

function parse(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}

function listen(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const answer = parse(payload)
    const path = request.routeOptions.url ?? ''
    if (request.method !== 'POST' || answer === undefined) return payload
    const version = versions.get(request.headers) ?? ''
    const status = String(reply.statusCode)
    const { error_code, error } = answer as Record<string, string>
    const about = [path, version, status, ...(status === '200' ? [] : [error_code ?? error ?? ''])]
    keep('answer', about, answer, { headers: reply.getHeaders() })
    const body = parse(request.body)
    const isJson = /^application\/json/.test(request.headers['content-type'] ?? '')
    if (body !== undefined && isJson) {
      keep('request', about, body, { headers: Object.keys(request.headers) })
    }
    return payload
  })
}

vi.mock('fastify', async (original) => {
  const real = (await original()) as typeof import('fastify')
  const fastify = (options: object) => {
    const app = real.fastify(options)
    listen(app)
    return app
  }
  return { ...real, fastify, default: fastify }
})
