import type { FastifyInstance } from 'fastify'
import { authorizationPath } from '../tokens/oauth-metadata.ts'

/** Serves the metadata of the authorization server, and says at its other address why nobody is asked there. */
export function serveOAuthMetadata(app: FastifyInstance, metadata: () => object): void {
  app.get('/.well-known/oauth-authorization-server', (_request, reply) =>
    reply.type('application/json').send(JSON.stringify(metadata())),
  )
  app.get(authorizationPath, (_request, reply) =>
    reply.code(400).type('application/json').send(JSON.stringify(noAuthorization)),
  )
}

const noAuthorization = {
  error: 'unsupported_response_type',
  error_description:
    'nobody logs in here: a client gets tokens by a POST to /oauth/token with `grant_type`, its client id and its secret',
}
