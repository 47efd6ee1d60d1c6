import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Context, isObject, type Node, reportUnknown } from './shared.ts'

const schemaExtensions = [
  'x-expected',
  'x-error-code',
  'x-enumDescriptions',
  'x-open',
  'x-versions',
  'x-webhooks',
]
const operationExtensions = ['x-retry-safe', 'x-rate-limits', 'x-pagination', 'x-bearer-replaces']

const contract = join(import.meta.dirname, '../../../openapi')
/** A file is named `CODE`, `TYPE.CODE`, `TYPE.CODE.STATUS` or `oauth.code`. */
const codes = new Set(
  ['errors', 'sandbox/errors']
    .flatMap((folder) => readdirSync(join(contract, folder)))
    .map((file) =>
      file
        .replace(/(\.\d{3})?\.yaml$/, '')
        .split('.')
        .at(-1),
    ),
)

/** The extensions of schemas, and the error code that a rule between fields answers with. */
export function SchemaExtensions() {
  return {
    Schema(schema: Node, context: Context) {
      reportUnknown(schema, schemaExtensions, context)
      const code = schema['x-error-code']
      if (code === undefined || codes.has(code as string)) return
      const location = context.location.child(['x-error-code'])
      context.report({ message: `no file in errors/ has the code ${code}`, location })
    },
  }
}

const environments = ['sandbox', 'production']
const counts = ['per_client', 'per_item', 'per_report']

/** What is wrong with the limits of one environment: the path to each mistake, and its message. */
function limitMistakes(limits: unknown): [path: string[], message: string][] {
  if (!isObject(limits)) return [[[], 'a rate limit is an object with `per_client`']]
  const mistakes = Object.entries(limits).map(([name, value]): [string[], string] => {
    if (name === 'shared_with') {
      return [[name], typeof value === 'string' ? '' : '`shared_with` is the name of a tag']
    }
    if (!counts.includes(name)) return [[name], `\`${name}\` is no rate limit`]
    const good = Number.isInteger(value) && (value as number) > 0
    return [[name], good ? '' : `\`${name}\` must be a positive integer`]
  })
  if (!('per_client' in limits)) mistakes.push([[], '`per_client` is missing'])
  return mistakes.filter(([, message]) => message !== '')
}

function checkRateLimits(rateLimits: unknown, context: Context): void {
  const location = context.location.child(['x-rate-limits'])
  const sandbox = location.source.absoluteRef.startsWith(join(contract, 'sandbox'))
  const expected = sandbox ? ['sandbox'] : environments
  const given = isObject(rateLimits) ? rateLimits : {}
  if (Object.keys(given).sort().join() !== [...expected].sort().join()) {
    const message = `\`x-rate-limits\` must have the keys ${expected.join(', ')}, and no others`
    context.report({ message, location })
  }
  for (const [environment, limits] of Object.entries(given)) {
    for (const [path, message] of limitMistakes(limits)) {
      context.report({ message, location: location.child([environment, ...path]) })
    }
  }
}

/** The extensions of operations; that they are there is `operation-extensions`' business. */
export function OperationExtensionValues() {
  return {
    Operation(operation: Node, context: Context) {
      reportUnknown(operation, operationExtensions, context)
      if ('x-retry-safe' in operation && typeof operation['x-retry-safe'] !== 'boolean') {
        const location = context.location.child(['x-retry-safe'])
        context.report({ message: '`x-retry-safe` must be true or false', location })
      }
      if ('x-rate-limits' in operation) checkRateLimits(operation['x-rate-limits'], context)
    },
  }
}
