import type { FastifyRequest } from 'fastify'
import { type Input, RejectedAnswer } from '../sources/connector.ts'
import type { LateSenders } from './late-senders.ts'

/** What a bank's file may have. */
export const mostFileBytes = 50 * 1024 * 1024
const beside = 64 * 1024
/** How long no byte may arrive, and how long a file may take altogether. */
const stallMs = 30_000
const longestMs = 15 * 60_000

/** The limits of a form with a file. */
export const uploadLimits = {
  fieldNameSize: 100,
  fieldSize: 1000,
  fields: 10,
  files: 1,
  parts: 12,
  headerPairs: 20,
  fileSize: mostFileBytes,
}

/** A form with a file, of which only the fields before the file have arrived. */
export interface Upload {
  form: URLSearchParams
  file?: NonNullable<Input['file']>
  /** Reads on without keeping anything, so that the browser comes to read the answer. */
  drain(): void
}

/** Reads a form up to its file. */
export async function readUpload(request: FastifyRequest, late: LateSenders): Promise<Upload> {
  const form = new URLSearchParams()
  const parts = request.parts()[Symbol.asyncIterator]()
  for (;;) {
    const { value: part, done } = await parts.next()
    if (done) return { form, drain: () => {} }
    if (part.type === 'file') {
      const { file, filename = '' } = part
      const drain = () => void file.on('error', () => {}).resume()
      return { form, file: { name: filename, bytes: readFile(request, file, late) }, drain }
    }
    form.append(part.fieldname, String(part.value))
  }
}

/** The bytes of a file. @throws RejectedAnswer where it is too large, or does not arrive */
async function* readFile(
  { raw }: FastifyRequest,
  file: AsyncIterable<Uint8Array> & { truncated: boolean },
  late: LateSenders,
): AsyncGenerator<Uint8Array> {
  const { socket, headers } = raw
  // Beside the file there are the marks of the form, and some fields.
  if (Number(headers['content-length'] ?? 0) > mostFileBytes + beside) {
    throw new RejectedAnswer('fileTooLarge')
  }
  const end = () => void socket.destroy()
  const longest = setTimeout(end, longestMs)
  let stalled = setTimeout(end, stallMs)
  late.add(socket)
  try {
    for await (const bytes of file) {
      clearTimeout(stalled)
      yield bytes
      stalled = setTimeout(end, stallMs)
    }
  } catch (error) {
    throw error instanceof RejectedAnswer ? error : new RejectedAnswer('fileCut')
  } finally {
    clearTimeout(longest)
    clearTimeout(stalled)
    late.delete(socket)
  }
  if (file.truncated) throw new RejectedAnswer('fileTooLarge')
  if (!raw.complete && raw.destroyed) throw new RejectedAnswer('fileCut')
}
