import * as zlib from 'node:zlib'

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Buffer

/** Undefined: a coding that this Node does not know. */
const decoders: Readonly<Record<string, Decoder | undefined>> = {
  identity: (bytes) => bytes,
  gzip: zlib.gunzipSync,
  'x-gzip': zlib.gunzipSync,
  deflate: inflate,
  br: zlib.brotliDecompressSync,
  // Node 20 has none.
  zstd: zlib.zstdDecompressSync as Decoder | undefined,
}

const mostCodings = 4

/**
 * A body without its codings. Undefined: one is unknown, or the body becomes too large. It throws where
 * the bytes are not what the codings say.
 */
export function decode(
  body: Buffer,
  contentEncoding: string | undefined,
  mostBytes: number,
): Buffer | undefined {
  const names = (contentEncoding ?? '').toLowerCase().split(',')
  const codings = names.map((name) => name.trim()).filter((name) => name !== '')
  if (codings.length > mostCodings) return undefined
  // Zlib takes no bound of 0.
  const options = { maxOutputLength: Math.max(1, mostBytes) }
  let bytes = body
  // The last one was applied last.
  for (const coding of codings.reverse()) {
    const decoder = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined
    if (!decoder) return undefined
    try {
      bytes = decoder(bytes, options)
    } catch (error) {
      if (isOverflow(error)) return undefined
      throw error
    }
  }
  return bytes
}

/** Many servers send `deflate` without the zlib format around it. */
function inflate(bytes: Buffer, options: { maxOutputLength: number }): Buffer {
  try {
    return zlib.inflateSync(bytes, options)
  } catch (error) {
    if (isOverflow(error)) throw error
    return zlib.inflateRawSync(bytes, options)
  }
}

const isOverflow = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
