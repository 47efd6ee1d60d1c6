import { expect, onTestFinished, test } from 'vitest'
import { start } from '../../src/server/boot/start.ts'
import { readConfig } from '../../src/server/config/config.ts'
import { productionKey } from '../support/production-key.ts'

const production = { SERVICE_ENV: 'production', ENCRYPTION_KEY: productionKey }

const docsOf = (environment: Record<string, string>) => {
  const config = readConfig([], environment)
  return config === 'help' ? undefined : config.docs
}

test('docs are on in the sandbox, and off in production unless DOCS says so', () => {
  expect(docsOf({})).toBe('on')
  expect(docsOf(production)).toBe('off')
  expect(docsOf({ ...production, DOCS: 'on' })).toBe('on')
  expect(docsOf({ DOCS: 'off' })).toBe('off')
  expect(docsOf({ DOCS: 'https://docs.example.com/api/' })).toBe('https://docs.example.com/api')
})

test.each([
  'yes',
  'docs.example.com',
  'https://docs.example.com/?page=1',
  'ftp://docs.example.com',
])('DOCS is not %s', (value) => {
  expect(() => docsOf({ DOCS: value })).toThrow(/^DOCS must be on, off, or /)
})

const places = {
  on: { served: 200, link: (url: string) => `${url}/docs` },
  off: { served: 404, link: () => undefined },
  'https://docs.example.com': { served: 404, link: () => 'https://docs.example.com' },
}

test.each(Object.entries(places))('DOCS=%s', async (docs, { served, link }) => {
  const config = readConfig([], { MEMORY: '1', PORT: '0', DOCS: docs })
  if (config === 'help') throw new Error('nobody asked for help')
  const service = await start(config)
  onTestFinished(() => service.close())
  const url = service.address
  const page = link(url)
  for (const path of ['/docs/', '/docs/openapi/2018-05-22.json']) {
    expect((await fetch(url + path)).status).toBe(served)
  }
  const post = async (path: string) => {
    const response = await fetch(url + path, { method: 'POST', body: '{}' })
    return (await response.json()) as Record<string, unknown>
  }
  const error = await post('/wallet/list')
  expect(error['documentation_url']).toBe(page && `${page}/errors#${error['error_code']}`)
  const oauth = await post('/oauth/token')
  expect(oauth['error_uri']).toBe(page && `${page}/errors#${oauth['error']}`)
  const metadata = await fetch(`${url}/.well-known/oauth-authorization-server`)
  const { service_documentation } = (await metadata.json()) as Record<string, unknown>
  expect(service_documentation).toBe(page && `${page}/`)
})
