import { openSqlite } from '../../src/server/db/sqlite.ts'
import { createKeys } from '../../src/server/keys.ts'
import { startService } from './service.ts'

// A service in a process of its own, which fires one webhook. It dies right after the commit, before
// anything can be delivered, or lives until it is killed.

const [file = '', key = '', clientId = '', secret = '', access_token = '', when] =
  process.argv.slice(2)

const running = await startService({
  database: openSqlite(file),
  keys: createKeys(Buffer.from(key, 'hex')),
})
if (when === 'after the commit') {
  running.service.runner.wake = () => process.kill(process.pid, 'SIGKILL')
}
await running
  .tenantOf(clientId, secret)
  .control('sandboxItemFireWebhook', { access_token, webhook_code: 'DEFAULT_UPDATE' })
setInterval(() => {}, 1000)
