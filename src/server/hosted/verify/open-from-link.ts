import { startAttempt } from '../../identity-verification/attempt.ts'
import {
  type AttemptRow,
  findLatestAttempt,
  insertAttempt,
  requireTemplate,
} from '../../identity-verification/store.ts'
import type { KnownUser } from '../../identity-verification/subject.ts'
import { toKnownUser } from '../../identity-verification/subject.ts'
import type { Context } from '../../kernel/context.ts'
import { findUserOfToken, type PageToken, type TokenUser } from '../../link/link-token-store.ts'
import type { PageAnswer, PageRequest } from '../page-request.ts'
import { closedPage, readerOf } from './message.ts'
import { enterAttempt } from './open-attempt.ts'
import { findProblems } from './person.ts'
import { inLanguage } from './texts/in-language.ts'

/** What the address of a link token for an identity verification leads to. */
export async function openFromLink(
  ctx: Context,
  token: PageToken,
  request: PageRequest,
): Promise<PageAnswer> {
  const attempt = await findOrStart(ctx, token)
  const reader = await readerOf(ctx, inLanguage(token.language), token)
  return (
    (await closedPage(ctx, reader, attempt)) ??
    enterAttempt(ctx, { attempt, reader, request, token })
  )
}

/** The newest attempt of the user at the template, or their first one. */
async function findOrStart(ctx: Context, token: PageToken): Promise<AttemptRow> {
  const { template_id, gave_consent } = JSON.parse(token.identity_verification ?? '{}') as Asked
  const user = await findUserOfToken(ctx, token.token_hash)
  const find = () => findLatestAttempt(ctx, user.client_user_id, template_id)
  const existing = await find()
  if (existing) return existing
  const attempt = startAttempt(ctx, await requireTemplate(ctx, template_id), {
    client_user_id: user.client_user_id,
    user_id: token.user_id,
    previous_attempt_id: null,
    gave_consent: gave_consent ?? false,
    is_shareable: false,
    user: toKnownUser(await readUser(user.data)),
  })
  if (await insertAttempt(ctx, attempt)) return attempt
  // Another browser was a moment earlier.
  return (await find()) ?? attempt
}

interface Asked {
  template_id: string
  gave_consent?: boolean | null
}

type Input = Parameters<typeof toKnownUser>[0]
const names = [
  'phone_number',
  'date_of_birth',
  'email_address',
  'name',
  'address',
  'id_number',
] as const satisfies readonly (keyof KnownUser)[]

/** What a verification can use of the user: link tokens take looser forms, of addresses above all. */
async function readUser(data: TokenUser['data']): Promise<Input> {
  const user: Record<string, unknown> = {}
  for (const name of names) {
    const value = data?.[name] ?? null
    if (value === null) continue
    const known = name === 'name' ? withoutMiddle(value as KnownUser['name']) : value
    if ((await findProblems({ [name]: known })).length === 0) user[name] = known
  }
  return user as Input
}

const withoutMiddle = (name: KnownUser['name']) =>
  name && { given_name: name.given_name, family_name: name.family_name }
