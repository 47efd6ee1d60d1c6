import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A file in memory, once for all who ask for it. */
export interface StaticFile {
  content: Buffer
  etag: string
  type: string
}

const types: Readonly<Record<string, string>> = {
  '.atom': 'application/atom+xml',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
}

/** Reads a file at the first request for it, and keeps it. */
export function staticFile(path: string): () => Promise<StaticFile> {
  let file: Promise<StaticFile> | undefined
  const read = async (): Promise<StaticFile> => {
    const content = await readFile(path)
    const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
    return { content, etag, type: types[extname(path)] ?? 'application/octet-stream' }
  }
  return () => {
    file ??= read().catch((error) => {
      file = undefined
      throw error
    })
    return file
  }
}

/** The files in a folder by their paths in a URL; what is not among them does not exist. */
export function staticFolder(folder: string): ReadonlyMap<string, () => Promise<StaticFile>> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
  return new Map(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      const relative = path.slice(folder.length + 1).replaceAll(sep, '/')
      return [relative, staticFile(path)]
    }),
  )
}

/** Answers with a file, or with 304 where the client has it. */
export function sendFile(
  { headers, method }: FastifyRequest,
  reply: FastifyReply,
  { content, etag, type }: StaticFile,
  caching = 'public, max-age=0',
): FastifyReply {
  reply.headers({ 'Cache-Control': caching, ETag: etag })
  if (isKnown(headers['if-none-match'], etag)) return reply.code(304).send()
  reply.type(type)
  // The length of what a GET gets, as HTTP has it.
  if (method === 'HEAD') return reply.header('Content-Length', content.length).send()
  return reply.send(content)
}

/** Whether the header of RFC 9110, section 13.1.2, names the tag, weakly or not. */
const isKnown = (known: string | undefined, etag: string): boolean =>
  known?.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim())) ?? false
