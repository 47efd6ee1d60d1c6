import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'

/** Keeps a browser from taking an answer for another type than its `Content-Type` says. */
export const noSniffing = ['X-Content-Type-Options', 'nosniff'] as const

/** Sets the headers by which browsers limit what a page may do, and who may show it in a frame. */
export function sendSecurityHeaders(app: FastifyInstance, docs: string | undefined): void {
  const forDocs = {
    'Content-Security-Policy': policyOf(docs),
    // For browsers that do not know `frame-ancestors`.
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
  }
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.header(...noSniffing)
    const { url = '' } = request.routeOptions
    if (url === '/' || url.startsWith('/docs')) reply.headers(forDocs)
    done()
  })
}

/**
 * The pages load nothing from elsewhere. Their console calls whatever address its reader names, and
 * VitePress makes the functions of its search from text, which is why `unsafe-eval` is there.
 */
function policyOf(docs: string | undefined): string {
  const scripts = docs === undefined ? [] : inlineScripts(join(docs, 'index.html'))
  return [
    "default-src 'none'",
    `script-src ${["'self'", "'unsafe-eval'", ...scripts.map(toHashSource)].join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self' http: https:",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Every page has the same ones: they set the colors before anything is shown. */
function inlineScripts(page: string): string[] {
  if (!existsSync(page)) return []
  const html = readFileSync(page, 'utf8')
  return [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => script,
  )
}

const toHashSource = (script: string): string =>
  `'sha256-${createHash('sha256').update(script).digest('base64')}'`
