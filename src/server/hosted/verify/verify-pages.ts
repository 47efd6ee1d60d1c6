import {
  findVerificationSession,
  listShareKeys,
} from '../../identity-verification/page-session-store.ts'
import { checkUpload } from '../../identity-verification/pictures/check-picture.ts'
import { mostPictureBytes } from '../../identity-verification/pictures/picture.ts'
import { AttemptChanged } from '../../identity-verification/settle-check.ts'
import { isSameHash } from '../../kernel/keys.ts'
import type { PageKey } from '../../kernel/page-key.ts'
import type { Service } from '../../kernel/service.ts'
import { RejectedAnswer } from '../../sources/connector.ts'
import { readAsClient, writeAsClient } from '../as-client.ts'
import { readCookie } from '../cookie.ts'
import type { Answering, PageRequest, VerifyPages } from '../page-request.ts'
import { addressOf, attemptAddress } from './address.ts'
import { createSay } from './failure-pages.ts'
import { openAttempt } from './open-attempt.ts'
import { sessionPage } from './session-page.ts'
import { inLanguages } from './texts/in-language.ts'
import type { SentPicture } from './visit.ts'

/** The pages of identity verifications. */
export function createVerifyPages(service: Service): Answering<VerifyPages> {
  const say = createSay(service.settings.environment === 'sandbox')

  return {
    async open(id, request) {
      const texts = inLanguages(request.languages)
      if (request.isWrite && !request.isSameOrigin) return say(403, texts, 'foreign')
      const key = request.query.get('key') ?? ''
      const clientId = await findClientOf(id, key)
      const answer =
        clientId &&
        (await retried(() =>
          writeAsClient(service, clientId, (ctx) => openAttempt(ctx, id, request)),
        ))
      if (!answer) return say(404, texts, 'unknown')
      // A browser that goes back to the answer of a form asks whether to send the form again.
      return request.isWrite && 'html' in answer ? { location: attemptAddress(id, key) } : answer
    },
    async page(sessionId, page, request) {
      const texts = inLanguages(request.languages)
      if (request.isWrite && !request.isSameOrigin) return say(403, texts, 'foreign')
      const key = readCookie(request.cookies, {
        publicUrl: service.publicUrl(),
        sessionId,
        use: 'verify',
      })
      if (!key) return say(404, texts, 'elsewhere')
      const picture = (await takesFile(sessionId, key, request))
        ? await pictureOf(request)
        : undefined
      const asked = { sessionId, page, secret: key.secret, picture }
      const run = request.isWrite ? writeAsClient : readAsClient
      const answer = await run(service, key.clientId, (ctx) =>
        sessionPage(ctx, asked, request),
      ).catch((error: unknown) => {
        // A reviewer, a check or another tab was earlier: nothing was written.
        if (error instanceof AttemptChanged) return { location: addressOf(sessionId, 'stale') }
        throw error
      })
      if (!answer) return say(404, texts, 'unknown')
      return request.isWrite && 'html' in answer ? { location: addressOf(sessionId, page) } : answer
    },
  }

  /** Whether the page takes a file, which need not be read otherwise. */
  async function takesFile(
    sessionId: string,
    { clientId, secret }: PageKey,
    { file, form }: PageRequest,
  ): Promise<boolean> {
    if (!file) return false
    const session = await readAsClient(service, clientId, async (ctx) => {
      const found = await findVerificationSession(ctx, secret)
      return found?.ended === null && found.expires_at > ctx.nowMs ? found : undefined
    })
    return session?.session_id === sessionId && form.get('turn') === String(session.turn)
  }

  /** The client whose attempt a key opens. */
  async function findClientOf(id: string, key: string): Promise<string | undefined> {
    if (!/^[0-9a-f]{64}$/.test(key) || !/^\w{1,128}$/.test(id)) return undefined
    const rows = await service.database.read((db) => listShareKeys(db, id))
    const hash = service.keys.hash(key)
    return rows.find(({ share_key }) =>
      isSameHash(service.keys.hash(service.keys.decrypt(share_key)), hash),
    )?.client_id
  }
}

/** Opens a page again where another request has just changed the attempt. */
const retried = <Result>(work: () => Promise<Result>): Promise<Result> =>
  work().catch((error: unknown) => {
    if (error instanceof AttemptChanged) return work()
    throw error
  })

/** Reads and checks the picture that a form brings, before any transaction begins. */
async function pictureOf({ file }: PageRequest): Promise<SentPicture | undefined> {
  if (!file) return undefined
  const parts: Uint8Array[] = []
  let length = 0
  try {
    for await (const part of file.bytes) {
      length += part.length
      if (length > mostPictureBytes) return { problem: 'too_large' }
      parts.push(part)
    }
  } catch (error) {
    if (error instanceof RejectedAnswer) {
      return { problem: error.reason === 'fileTooLarge' ? 'too_large' : 'broken' }
    }
    throw error
  }
  // A form whose file was not chosen has a file without a name and without bytes.
  if (length === 0 && file.name === '') return undefined
  return checkUpload(Buffer.concat(parts))
}
