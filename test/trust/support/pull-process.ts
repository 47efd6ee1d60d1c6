import type { Database } from '../../../src/server/kernel/database.ts'
import { createKeys } from '../../../src/server/kernel/keys.ts'
import { noRunner } from '../../../src/server/kernel/service.ts'
import { runPull } from '../../../src/server/worker/pulls/run-pull.ts'
import { loopbackSettings } from '../../support/connected.ts'
import { openPlace } from '../../support/engine.ts'
import { startService } from '../../support/service.ts'

// A process of its own that reads one Item from its source, and kills itself around one of its
// transactions.

const [address = '', key = '', client_id = '', item_id = '', at = '', step = '', moment = ''] =
  process.argv.slice(2)

const die = () => process.kill(process.pid, 'SIGKILL')

/** Dies at the transaction with the number of `step`. */
function dying(database: Database): Database {
  let count = 0
  return {
    ...database,
    async transaction(work, options) {
      count += 1
      const isLast = count === Number(step)
      if (isLast && moment === 'before') die()
      const result = await database.transaction(async (db) => {
        const done = await work(db)
        if (isLast && moment === 'inside') die()
        return done
      }, options)
      if (isLast && moment === 'after') die()
      return result
    },
  }
}

const { service } = await startService({
  database: await openPlace(address),
  keys: createKeys(Buffer.from(key, 'hex')),
  settings: loopbackSettings,
  clock: () => Number(at),
  checkAnswer: undefined,
})
const own = { ...service, database: dying(service.database), runner: noRunner }
await runPull(own, { client_id, item_id }, new AbortController().signal)
process.exit(0)
