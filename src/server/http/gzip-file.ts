import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { StaticFile } from './static-files.ts'

const zip = promisify(gzip)

/** Each file is compressed once, for all who ask for it. */
const zipped = new WeakMap<StaticFile, Promise<StaticFile>>()

const compress = async (file: StaticFile): Promise<StaticFile> => ({
  ...file,
  content: await zip(file.content, { level: constants.Z_BEST_COMPRESSION }),
  etag: file.etag.replace(/"$/, '-gzip"'),
})

/** The file as the client takes it: compressed, or else as it is. */
export async function inEncodingOf(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  file: StaticFile,
): Promise<StaticFile> {
  reply.header('Vary', 'Origin, Accept-Encoding')
  if (!takesGzip(headers['accept-encoding'])) return file
  const found = zipped.get(file) ?? compress(file)
  zipped.set(file, found)
  reply.header('Content-Encoding', 'gzip')
  return found
}

/** Whether a header of RFC 9110, section 12.5.3, names the encoding and does not rule it out. */
const takesGzip = (accepted = ''): boolean =>
  accepted.split(',').some((one) => /^\s*gzip\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/i.test(one))
