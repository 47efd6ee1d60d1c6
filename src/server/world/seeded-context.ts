import { createHash } from 'node:crypto'
import type { Context } from '../context.ts'
import { type IdKind, newId } from '../ids.ts'

/** What would let others in if it could be guessed. */
const isSecret = (kind: IdKind): boolean => /token|secret|share_key/.test(kind)

/** A stream of bytes that a seed decides. */
function bytesFrom(seed: string): (count: number) => Uint8Array {
  let left = Buffer.alloc(0)
  let round = 0
  return (count) => {
    while (left.length < count) {
      const more = createHash('sha512').update(`${seed}/${round}`).digest()
      left = Buffer.concat([left, more])
      round += 1
    }
    const taken = left.subarray(0, count)
    left = left.subarray(count)
    return taken
  }
}

/**
 * The same context, whose new ids follow from the seed and which tells nobody: for writing what a
 * file of the world describes. In production secrets stay random.
 */
export function withSeed(ctx: Context, seed: string): Context {
  const bytes = bytesFrom(`${seed}/${ctx.client.client_id}`)
  const { environment } = ctx.settings
  return {
    ...ctx,
    newId: (kind) =>
      kind === 'row' || (environment === 'production' && isSecret(kind))
        ? ctx.newId(kind)
        : newId(kind, environment, bytes),
    emit: async () => {},
  }
}
