import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * A way to a server: it passes all on, is slow and gives out small pieces, swallows all without a word,
 * as a network does that has lost one of its ends, or breaks at each commit: before the server has it,
 * or before its answer is there.
 */
export type Behaviour = 'passing' | 'slow' | 'silent' | 'losing commits' | 'losing answers'

export interface DatabaseLine {
  port: number
  /** Connections that were silent once stay so. */
  behave(behaviour: Behaviour): void
  close(): Promise<void>
}

const pieceBytes = 512
const pauseMs = 4

export async function openDatabaseLine(port: number): Promise<DatabaseLine> {
  let behaviour: Behaviour = 'passing'
  const joints = new Set<Joint>()
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    const joint = { near, far, dead: behaviour === 'silent', broken: false }
    joints.add(joint)
    carry(joint, near, far, (chunk) => {
      const breaks = behaviour.startsWith('losing') && chunk.includes(commit)
      if (!breaks) return behaviour
      joint.broken = true
      if (behaviour === 'losing commits') near.destroy()
      return behaviour
    })
    carry(joint, far, near, () => {
      if (joint.broken) near.destroy()
      return behaviour
    })
    near.on('close', () => joints.delete(joint))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    behave(next) {
      behaviour = next
      if (next === 'silent') for (const joint of joints) joint.dead = true
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const { near, far } of joints) {
        near.destroy()
        far.destroy()
      }
      await closed
    },
  }
}

interface Joint {
  near: Socket
  far: Socket
  /** Nothing is passed on any more, not even an end. */
  dead: boolean
  /** A commit has been met that is to be the last. */
  broken: boolean
}

const commit = Buffer.from('commit\0')

/** Brings what one end says to the other, in its order. */
function carry(joint: Joint, from: Socket, to: Socket, look: (chunk: Buffer) => Behaviour): void {
  let last: Promise<void> = Promise.resolve()
  from.on('data', (chunk) => {
    if (joint.dead) return
    const behaviour = look(chunk)
    last = last.then(() => {
      if (joint.near.destroyed) return
      return behaviour === 'slow' ? trickle(chunk, to) : void to.write(chunk)
    })
  })
  from.on('error', () => {})
  from.on('close', () => {
    if (!joint.dead) void last.then(() => to.destroy())
  })
}

async function trickle(chunk: Buffer, to: Socket): Promise<void> {
  for (let at = 0; at < chunk.length; at += pieceBytes) {
    await sleep(pauseMs)
    if (to.destroyed) return
    to.write(chunk.subarray(at, at + pieceBytes))
  }
}
