import { migrate } from '../../../src/server/db/migrate.ts'
import type { Database } from '../../../src/server/kernel/database.ts'
import { openPlace } from '../../support/engine.ts'

// Migrates a store in a process of its own, which ends as by a loss of power at one of the statements:
// before it, or while it is on its way.

const [address = '', place = '', when = ''] = process.argv.slice(2)

const dying = (database: Database): Database => {
  let statements = 0
  return {
    ...database,
    exclusive: (work) =>
      database.exclusive((queries) =>
        work({
          ...queries,
          run(sql, values) {
            statements += 1
            const isIt = statements === Number(place)
            if (isIt && when === 'before') die()
            const running = queries.run(sql, values)
            if (isIt) setTimeout(die, 1)
            return running
          },
        }),
      ),
  }
}

const die = () => process.kill(process.pid, 'SIGKILL')

await migrate(dying(await openPlace(address)))
