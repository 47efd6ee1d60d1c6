import { operations } from '#contract/operations.ts'
import { grants } from './grant-types.ts'
import { scopes } from './scope.ts'

const authMethods = ['client_secret_basic', 'client_secret_post']

/** The authorization server's metadata, according to RFC 8414 section 2. */
export function toOAuthMetadata(issuer: string, docsUrl: string | undefined): object {
  return {
    issuer,
    token_endpoint: `${issuer}${operations.oauthToken.path}`,
    token_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint: `${issuer}${operations.oauthRevoke.path}`,
    revocation_endpoint_auth_methods_supported: authMethods,
    grant_types_supported: Object.keys(grants),
    // Required by the RFC. It is empty, since there is no authorization endpoint.
    response_types_supported: [],
    scopes_supported: scopes,
    ...(docsUrl === undefined ? {} : { service_documentation: `${docsUrl}/` }),
  }
}
