import type { RunningService } from '../server/boot/create-service.ts'
import type { EmbeddedDatabase } from '../server/db/sqlite.ts'
import type { Snapshot, Snapshots } from './world-snapshot.ts'

export function createSnapshots(
  { quiesce }: Pick<RunningService, 'quiesce'>,
  database: EmbeddedDatabase,
): Snapshots {
  const images = new WeakMap<Snapshot, Uint8Array>()
  return {
    async snapshot() {
      if (!database.hasImages) {
        const { node } = process.versions
        throw new Error(`snapshots need Node 24.16 or newer, and this is ${node}`)
      }
      const image = await quiesce(() => database.image(), 'finish')
      const snapshot = { takenAt: new Date() }
      images.set(snapshot, image)
      return snapshot
    },
    async restore(snapshot) {
      const image = images.get(snapshot)
      if (!image) throw new Error('a snapshot can be restored only by the service that it is of')
      await quiesce(() => database.load(image), 'cut')
    },
  }
}
