/** Headers of one connection. They end at the proxy. */
const ofConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** The headers that go on, in their order and spelling. `raw` has names and values by turns. */
export function passHeaders(raw: readonly string[], dropped: readonly string[] = []): string[] {
  const pairs = pairsOf(raw)
  const named = pairs
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) =>
      value
        .toLowerCase()
        .split(',')
        .map((one) => one.trim()),
    )
  return pairs
    .filter(([name]) => {
      const key = name.toLowerCase()
      return !ofConnection.has(key) && !named.includes(key) && !dropped.includes(key)
    })
    .flat()
}

function pairsOf(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, index) => [
    raw[2 * index] ?? '',
    raw[2 * index + 1] ?? '',
  ])
}
