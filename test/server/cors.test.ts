import { describe, expect, test } from 'vitest'
import { startService } from '../support/service.ts'

const sandbox = { environment: 'sandbox', reportDelayMs: 0 } as const
const production = { environment: 'production', reportDelayMs: 0 } as const

describe('a browser on another origin', () => {
  test.each([
    ['may call the sandbox', { settings: sandbox }, 'https://lender.example.com'],
    ['may not call production', { settings: production }, undefined],
    [
      'may call production if it is the one that was named',
      { settings: production, corsOrigin: 'https://lender.example.com' },
      'https://lender.example.com',
    ],
    [
      'is told of the named one otherwise',
      { settings: sandbox, corsOrigin: 'https://app.example.com' },
      'https://app.example.com',
    ],
  ])('%s', async (_, parts, allowed) => {
    const service = await startService(parts)
    const { headers } = await service.app.inject({
      method: 'OPTIONS',
      url: '/accounts/get',
      headers: {
        Origin: 'https://lender.example.com',
        'Access-Control-Request-Method': 'POST',
      },
    })
    await service.close()
    expect(headers['access-control-allow-origin']).toBe(allowed)
  })
})
