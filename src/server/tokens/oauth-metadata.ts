import { operations } from '#contract/operations.ts'
import type { Settings } from '../kernel/context.ts'
import { grants } from './grant-types.ts'
import { scopesIn } from './scope.ts'

const authMethods = ['client_secret_basic', 'client_secret_post']

/** Answers that there is no authorization by a browser. */
export const authorizationPath = '/oauth/authorize'

/** The authorization server's metadata, according to RFC 8414 section 2. */
export function toOAuthMetadata(
  issuer: string,
  docsUrl: string | undefined,
  settings: Pick<Settings, 'environment'>,
): object {
  return {
    issuer,
    token_endpoint: `${issuer}${operations.oauthToken.path}`,
    token_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint: `${issuer}${operations.oauthRevoke.path}`,
    revocation_endpoint_auth_methods_supported: authMethods,
    grant_types_supported: Object.keys(grants),
    // Required by the RFC. It is empty, since no flow begins in a browser.
    response_types_supported: [],
    // The RFC lets it out for these grants. Yet client libraries of agents reject metadata without it.
    authorization_endpoint: `${issuer}${authorizationPath}`,
    scopes_supported: scopesIn(settings),
    ...(docsUrl === undefined ? {} : { service_documentation: `${docsUrl}/` }),
  }
}
