import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { MultipartFile, MultipartValue } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { type Input, RejectedAnswer } from '../sources/connector.ts'
import type { LateSenders } from './late-senders.ts'

/** What a bank's file may have. */
const mostFileBytes = 50 * 1024 * 1024
const beside = 64 * 1024
/** How long no byte may arrive, and how long a file may take altogether. */
const stallMs = 30_000
const longestMs = 15 * 60_000
const longestRestMs = 2 * 60_000

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
  /**
   * Reads the rest without keeping anything: a browser sends all of it before it reads the answer. After
   * the answer, the rest would not be read any more.
   */
  drain(): Promise<void>
}

/** Reads a form up to its file. */
export async function readUpload(request: FastifyRequest, late: LateSenders): Promise<Upload> {
  const form = new URLSearchParams()
  const parts = partsOf(request)
  for (;;) {
    const { value: part, done } = await parts.next()
    if (done) return { form, drain: async () => {} }
    if (part.type === 'file') {
      const { file, filename = '' } = part
      const drain = () => readRest(request, file)
      return { form, file: { name: filename, bytes: readFile(request, file, late) }, drain }
    }
    form.append(part.fieldname, String(part.value))
  }
}

async function readRest({ raw }: FastifyRequest, file: Readable): Promise<void> {
  const end = () => void raw.destroy()
  const longest = setTimeout(end, longestRestMs)
  const stalled = setTimeout(end, stallMs)
  raw.on('data', () => stalled.refresh())
  file.on('error', () => {}).resume()
  // A sender that goes away needs no answer.
  await finished(raw, { writable: false }).catch(() => {})
  clearTimeout(longest)
  clearTimeout(stalled)
}

/** The parts of a form. A form that ends too early, or has no boundary, is the sender's mistake. */
async function* partsOf(request: FastifyRequest): AsyncGenerator<MultipartFile | MultipartValue> {
  try {
    yield* request.parts() as AsyncIterable<MultipartFile | MultipartValue>
  } catch (error) {
    if (error instanceof Error && 'statusCode' in error) throw error
    throw Object.assign(new Error('the form is malformed', { cause: error }), { statusCode: 400 })
  }
}

/** The bytes of a file. @throws RejectedAnswer where it is too large, or does not arrive */
async function* readFile(
  { raw }: FastifyRequest,
  file: Readable & { truncated: boolean },
  late: LateSenders,
): AsyncGenerator<Uint8Array> {
  const { socket, headers } = raw
  // Beside the file there are the marks of the form, and some fields.
  if (Number(headers['content-length'] ?? 0) > mostFileBytes + beside) {
    throw new RejectedAnswer('fileTooLarge')
  }
  const end = () => void raw.destroy()
  const longest = setTimeout(end, longestMs)
  let stalled = setTimeout(end, stallMs)
  late.add(socket)
  try {
    // Who stops reading leaves the rest to `drain`.
    for await (const bytes of file.iterator({ destroyOnReturn: false })) {
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
