import { eachWebhook, readBundle } from '../contract/contract.ts'
import { ofClients, undated } from '../contract/undated.ts'
import { declare, writeSource } from './source.ts'

/** Writes what the service needs of the documents without versions, all of them together. */
export function undatedOperations(): void {
  const imports = undated.flatMap((name) => [
    `import type { operations as ${name}Types } from './${name}/closed.ts'`,
    `import * as ${name} from './${name}/operations.ts'`,
  ])
  const components = senders().map(
    (name) => `import type { components as ${name}Components } from './${name}/closed.ts'`,
  )
  writeSource('undated.ts', 'generate/undated.ts', [
    `${[...imports, ...components].join('\n')}\n`,
    declare('The paths of all of them.', `const paths = ${merged(undated, 'paths')}`),
    declare(
      'By document, the paths that production has, too.',
      `const productionPaths = {${ofClients.map((name) => ` ${name}: ${name}.paths,`).join('')} }`,
    ),
    declare('Every operation.', `const operations = ${merged(undated, 'operations')}`),
    declare(
      'Loads the validators of one operation.',
      `const validators = ${merged(undated, 'validators')}`,
    ),
    declare('Every webhook.', `const webhooks = ${merged(undated, 'webhooks')}`),
    declare('The name of an operation.', 'type OperationId = keyof typeof operations'),
    declare(
      'The bodies of the operations, as the service writes them.',
      `type Operations = ${undated.map((name) => `${name}Types`).join(' & ')}`,
    ),
    declare(
      'The bodies of the webhooks.',
      `type WebhookBodies = ${bodies() || 'Record<never, never>'}`,
    ).trimEnd(),
  ])
}

const merged = (names: readonly string[], what: string): string =>
  `{ ${names.map((name) => `...${name}.${what}`).join(', ')} }`

/** The documents that have webhooks. */
const senders = (): string[] => undated.filter((name) => eachWebhook(readBundle(name)).length > 0)

const bodies = (): string =>
  senders()
    .map((name) => {
      const schema = `(typeof ${name}.webhooks)[Name]['schema']`
      return `{\n  [Name in keyof typeof ${name}.webhooks]: ${name}Components['schemas'][${schema}]\n}`
    })
    .join(' & ')
