import type { DeliveryKey } from '../../queue/webhook-store.ts'

/**
 * How many due deliveries of an endpoint are read ahead, and how many in all. Finding a few among
 * many due rows costs as much as finding these.
 */
export const ahead = { ofEndpoint: 64, most: 20_000 }

/** Keeps due deliveries that were read and have not started, by endpoint. */
export function createReadAhead() {
  const kept = new Map<string, DeliveryKey[]>()
  let count = 0

  /** Those of an endpoint, which are no longer kept then. */
  function take(url: string): DeliveryKey[] {
    const keys = kept.get(url) ?? []
    kept.delete(url)
    count -= keys.length
    return keys
  }

  return {
    take,
    has: (url: string): boolean => kept.has(url),
    keep(url: string, keys: DeliveryKey[]): void {
      // A concurrent poll may have added some.
      take(url)
      if (keys.length === 0 || count + keys.length > ahead.most) return
      count += keys.length
      kept.set(url, keys)
    },
    /** Drops those of all other endpoints. */
    keepOnly(urls: readonly string[]): void {
      const wanted = new Set(urls)
      for (const url of kept.keys()) if (!wanted.has(url)) take(url)
    },
  }
}
