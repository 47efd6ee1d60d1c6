/** The packages that are given the contract, in this order; none of them is needed to read this. */
export const consumerNames = [
  'openapi-typescript',
  '@hey-api/openapi-ts',
  'orval',
  'swagger-typescript-api',
  '@kubb/cli',
  'openapi-zod-client',
  '@scalar/openapi-parser',
  '@apidevtools/swagger-parser',
  'openapi-to-postmanv2',
  '@stoplight/prism-cli',
  '@redocly/cli',
  '@stoplight/spectral-cli',
] as const

export type ConsumerName = (typeof consumerNames)[number]
