/** What a tool gets wrong by itself, whatever the contract says. */
export interface Fault {
  /** The name of its package. */
  consumer: string
  fault: string
  /** What the check does about it. */
  answer: string
  /** Generated files whose errors by `exactOptionalPropertyTypes` come from it. */
  files?: RegExp
}

/** Every fault that the checks make allowance for. */
export const faults: Fault[] = [
  {
    consumer: '@hey-api/openapi-ts',
    fault: 'The client that it copies does not compile with `exactOptionalPropertyTypes`.',
    answer: 'Errors in these files do not count; those in all other files do.',
    files: /^client\/(client|core)\//,
  },
  {
    consumer: 'swagger-typescript-api',
    fault: 'Keys with `propertyNames` become `any`.',
    answer: 'Values of such objects must keep their type, keys need not.',
  },
  {
    consumer: '@kubb/cli',
    fault: 'It reads the formats `ipv4` and `ipv6` as a URL.',
    answer: '`kubb.config.ts` maps `ip_address`.',
  },
  {
    consumer: '@kubb/cli',
    fault: 'Its fetch client returns the body of an error as data, and sends no `Content-Type`.',
    answer: 'The journey wraps the client: another status than 200 throws.',
  },
  {
    consumer: '@kubb/cli',
    fault: 'Not all plugins of version 5 are published.',
    answer: 'Version 4 is checked.',
  },
  {
    consumer: 'openapi-zod-client',
    fault: 'It warns of every `default` response.',
    answer: 'It runs with `--default-status auto-correct`.',
  },
  {
    consumer: '@scalar/openapi-parser',
    fault: '0.29.13 and later need a validator that the registry does not have.',
    answer: 'An earlier version is checked.',
  },
  {
    consumer: '@stoplight/spectral-cli',
    fault: 'It reads patterns without the flag `u`, and wants `items` beside every `type: array`.',
    answer: 'The contract has no `\\p{L}`, and has `items` there.',
  },
]
