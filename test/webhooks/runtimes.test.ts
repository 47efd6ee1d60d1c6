import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { body, iat, key, published } from '../support/webhook-vectors.ts'

const bundle = () =>
  build({
    entryPoints: [join(root, 'src/webhooks/index.ts')],
    absWorkingDir: root,
    bundle: true,
    format: 'iife',
    globalName: 'webhooks',
    platform: 'neutral',
    metafile: true,
    write: false,
  })

test('the verifier brings nothing along: no table of the contract, no validator, no package', async () => {
  const { metafile } = await bundle()
  const inputs = Object.keys(metafile.inputs)
  expect(inputs.length).toBeGreaterThan(4)
  expect(inputs.filter((file) => !file.startsWith('src/webhooks/'))).toEqual([])
})

test('the verifier needs no more of its runtime than browsers and workers have', async () => {
  const { outputFiles } = await bundle()
  const { crypto, TextEncoder, TextDecoder, atob, btoa, Headers, AbortSignal } = globalThis
  const web = { crypto, TextEncoder, TextDecoder, atob, btoa, Headers, AbortSignal }
  const verified = runInNewContext(
    `${outputFiles[0]?.text}
    webhooks.verifyWebhook(
      new TextEncoder().encode(body),
      new Headers({ 'Service-Verification': token }),
      { client: { webhookVerificationKeyGet: async () => ({ data: { key } }) }, now: () => now },
    )`,
    { ...web, body, token: published, key, now: iat * 1000 },
  )
  expect((await verified).webhook_code).toBe('NEW_ACCOUNTS_AVAILABLE')
})
