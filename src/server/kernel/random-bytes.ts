import { randomBytes as drawBytes } from 'node:crypto'

// Asking the system for a few bytes costs as much as for many. What has been given out is zeroed.
const pool = { bytes: Buffer.alloc(0), used: 0 }
const poolSize = 4096

/** Bytes by chance, fit for secrets. */
export function randomBytes(count: number): Buffer {
  if (count > pool.bytes.length - pool.used) {
    pool.bytes = drawBytes(Math.max(poolSize, count))
    pool.used = 0
  }
  const bytes = Buffer.from(pool.bytes.subarray(pool.used, pool.used + count))
  pool.bytes.fill(0, pool.used, pool.used + count)
  pool.used += count
  return bytes
}
