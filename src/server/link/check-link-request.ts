import { hasControls } from '../../control-characters.ts'
import { requireServed } from '../identity-verification/provider-checks.ts'
import { requireTemplate } from '../identity-verification/store.ts'
import { requireListedIn, supportsAll } from '../institutions/require-institution.ts'
import type { Context } from '../kernel/context.ts'
import { ApiError, invalidField } from '../kernel/errors.ts'
import type { BodyOf } from '../kernel/operation.ts'
import { findUserById } from '../users/store.ts'
import { isRedirectUri } from './redirect-uri.ts'

type Body = BodyOf<'linkTokenCreate'>

/** What the fields of a request ask of each other. */
export async function checkLinkRequest(ctx: Context, body: Body): Promise<void> {
  rejectName(body)
  rejectProducts(body)
  rejectRedirect(body)
  await rejectUser(ctx, body)
  await rejectVerification(ctx, body)
  if (body.access_token == null) await rejectInstitution(ctx, body)
}

/** Users read the name on pages that they trust. */
function rejectName({ client_name }: Body): void {
  if (client_name.trim() !== '' && !hasControls(client_name)) return
  throw invalidField('`client_name` must be visible text on one line, without marks of direction')
}

function rejectProducts({ products, optional_products, access_token }: Body): void {
  const [first, optional] = [products ?? [], optional_products ?? []]
  if (access_token != null && first.length + optional.length > 0) {
    throw invalidField('`products` must be left out beside `access_token`')
  }
  if (optional.some((product) => first.includes(product))) {
    throw invalidField('`optional_products` must not repeat `products`')
  }
  const isVerified = [...first, ...optional].includes('identity_verification')
  if (isVerified && first.length + optional.length > 1) {
    throw invalidField('`products` must name `identity_verification` alone')
  }
}

function rejectRedirect({ hosted_link }: Body): void {
  const uri = hosted_link?.completion_redirect_uri
  if (uri == null || isRedirectUri(uri)) return
  throw invalidField(
    '`hosted_link.completion_redirect_uri` must be an https URL, an http URL of a loopback host, or a URI with the scheme of your application, and must have no user name',
  )
}

async function rejectUser(ctx: Context, { user, user_id }: Body): Promise<void> {
  if (user_id == null) return
  const known = await findUserById(ctx, user_id)
  if (!known) throw new ApiError('USER_NOT_FOUND')
  if (user == null || user.client_user_id === known.client_user_id) return
  throw invalidField('`user.client_user_id` must name the same user as `user_id`')
}

async function rejectVerification(ctx: Context, body: Body): Promise<void> {
  const { identity_verification, products } = body
  const isVerified = products?.includes('identity_verification') ?? false
  if (isVerified && identity_verification == null) {
    throw invalidField(
      '`identity_verification` must be an object with `template_id` for the product `identity_verification`',
    )
  }
  if (identity_verification == null) return
  if (!isVerified) {
    throw invalidField(
      '`identity_verification` must be left out without the product `identity_verification`',
    )
  }
  const template = await requireTemplate(ctx, identity_verification.template_id)
  requireServed(ctx, template, 'identity_verification.template_id')
}

async function rejectInstitution(ctx: Context, body: Body): Promise<void> {
  const { institution_id, country_codes, products } = body
  if (institution_id == null) return
  const institution = await requireListedIn(ctx, institution_id, country_codes)
  if (supportsAll(institution, products ?? [])) return
  throw invalidField('`products` must name products that the institution supports')
}
