import { createKeys } from '../../src/server/kernel/keys.ts'
import { openPlace } from './engine.ts'
import { startService } from './service.ts'

// A service in a process of its own, which fires one webhook. It dies right after the commit, before
// anything can be delivered, or lives until it is killed.

const [address = '', key = '', clientId = '', secret = '', access_token = '', when] =
  process.argv.slice(2)

const running = await startService({
  database: await openPlace(address),
  // For others it began a minute ago, which is as long as they wait for one that died.
  clock: () => Date.now() - 60_000,
  keys: createKeys(Buffer.from(key, 'hex')),
})
if (when === 'after the commit') {
  running.service.runner.wake = () => process.kill(process.pid, 'SIGKILL')
}
await running
  .tenantOf(clientId, secret)
  .control('sandboxItemFireWebhook', { access_token, webhook_code: 'DEFAULT_UPDATE' })
setInterval(() => {}, 1000)
