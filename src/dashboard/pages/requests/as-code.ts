import type { Schemas } from '../../data/api.ts'

type Call = Schemas['DashboardRequestGetResponse']

/** In single quotes, as a shell takes it. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The call as a command. Credentials come from the environment: the service does not store them. */
export function asCurl({ request, request_body }: Call, origin: string): string {
  const lines = [
    `curl ${quoted(origin + request.path)}`,
    `-H 'Content-Type: application/json'`,
    `-H "Service-Client-Id: $CLIENT_ID"`,
    `-H "Service-Secret: $SECRET"`,
    ...(isDated(request.version) ? [`-H 'Service-Version: ${request.version}'`] : []),
    `-d ${quoted(request_body ?? '{}')}`,
  ]
  return lines.join(' \\\n  ')
}

/** The call through the client library; undefined where the library has no such method. */
export function asClientCode({ request, request_body }: Call, origin: string): string | undefined {
  if (request.operation_id.startsWith('sandbox')) return undefined
  const version = isDated(request.version) ? [`  version: '${request.version}',`] : []
  return [
    `import { createClient } from 'financial-data-service'`,
    '',
    'const client = createClient({',
    `  baseUrl: '${origin}',`,
    '  clientId: process.env.CLIENT_ID,',
    '  secret: process.env.SECRET,',
    ...version,
    '})',
    `const { data, error } = await client.${request.operation_id}(${request_body ?? '{}'})`,
  ].join('\n')
}

const isDated = (version: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(version)
