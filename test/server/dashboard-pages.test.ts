import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'

const folder = mkdtempSync(join(tmpdir(), 'dashboard-'))
const page = '<!doctype html><title>Dashboard</title>'
const script = 'console.log(1)\n'.repeat(100)
mkdirSync(join(folder, 'assets'))
writeFileSync(join(folder, 'index.html'), page)
writeFileSync(join(folder, 'assets/index-Ab12_cd3.js'), script)

let service: TestService
beforeAll(async () => {
  service = await startService({ dashboardFolder: folder })
})
afterAll(async () => {
  await service?.close()
  rmSync(folder, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = {}) =>
  service.app.inject({ method: 'GET', url, headers })

describe('the pages of the dashboard', () => {
  test.each(['/dashboard/', '/dashboard/requests', '/dashboard/items/5eEvj67hPLE?x=1'])(
    '%s is the document, which is asked for again each time',
    async (url) => {
      const { statusCode, headers, payload } = await get(url)
      expect([statusCode, payload]).toEqual([200, page])
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'x-frame-options': 'DENY',
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
      })
      const known = await get(url, { 'if-none-match': String(headers['etag']) })
      expect(known.statusCode).toBe(304)
    },
  )

  test('allow no inline code, no other origin and no frame', async () => {
    const { headers } = await get('/dashboard/')
    const policy = String(headers['content-security-policy'])
    expect(policy).toMatch(/^default-src 'none';/)
    expect(policy).toMatch(/; frame-ancestors 'none'/)
    const sources = [...policy.matchAll(/'[^']+'|\S+:\S*/g)].map(([source]) => source)
    expect(sources.filter((source) => !["'none'", "'self'"].includes(source))).toEqual([])
  })

  test('keep their files for ever, since their names change with them', async () => {
    const { headers, payload } = await get('/dashboard/assets/index-Ab12_cd3.js')
    expect(payload).toBe(script)
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    })
  })

  test.each([
    ['gzip, deflate, br', true],
    ['gzip;q=0.5', true],
    ['gzip;q=0', false],
    ['br', false],
  ])('are compressed only for clients that take it: %s', async (accepted, isZipped) => {
    const url = '/dashboard/assets/index-Ab12_cd3.js'
    const { headers, rawPayload } = await get(url, { 'accept-encoding': accepted })
    expect(headers['vary']).toContain('Accept-Encoding')
    expect(headers['content-encoding']).toBe(isZipped ? 'gzip' : undefined)
    expect((isZipped ? gunzipSync(rawPayload) : rawPayload).toString()).toBe(script)
    expect(rawPayload.length < script.length).toBe(isZipped)
    const { headers: plain } = await get(url)
    expect(headers['etag'] === plain['etag']).toBe(!isZipped)
  })

  test.each([
    '/dashboard/assets/none.js',
    '/dashboard/assets/..%2findex.html',
    '/dashboard/api/none',
  ])('are not shown in place of a file or an answer: %s', async (url) => {
    const { payload } = await get(url)
    expect(payload).not.toContain('<title>')
  })

  test('begin at the address that people type', async () => {
    const { statusCode, headers } = await get('/dashboard')
    expect([statusCode, headers['location']]).toEqual([302, '/dashboard/'])
  })

  test('are left out where they have not been built', async () => {
    const without = await startService()
    const { statusCode } = await without.app.inject({ method: 'GET', url: '/dashboard/' })
    expect(statusCode).toBe(404)
    await without.close()
  })
})
