import { join } from 'node:path'
import { generatedFolder, type Schema } from '../contract/contract.ts'
import { type FileSchema, writeFileSchema } from './file-schema.ts'

/** The folder under `generated/` of what belongs to gateways for identity checks. */
export const gatewayFolder = 'identity-gateway'

const file: FileSchema = {
  source: 'src/identity-gateway/gateway.schema.yaml',
  script: 'gateway-schema.ts',
  subject: 'gateways for identity checks',
  folder: gatewayFolder,
  standAlone: 'identity-gateway.schema.json',
  main: 'GatewayAnswer',
  validators: { name: 'gateway', schemas: ['GatewayAnswer', 'GatewayAuthorizeAnswer'] },
  close: closed,
}

/** Where the stand-alone schema of such gateways is. */
export const gatewaySchemaFile = join(generatedFolder(gatewayFolder), file.standAlone)

/** Writes the schema of such gateways, and their types and validators. */
export const gatewaySchema = (): Promise<void> => writeFileSchema(file)

/** The same schema without room for unknown fields: results become parts of the service's answers. */
function closed(schema: Schema): Schema {
  if (Array.isArray(schema)) return schema.map(closed) as unknown as Schema
  if (typeof schema !== 'object' || schema === null) return schema
  const parts = Object.entries(schema).map(([key, value]) => [
    key,
    key === 'examples' ? value : closed(value as Schema),
  ])
  const isOpen = schema.type === 'object' && schema.additionalProperties === undefined
  return { ...Object.fromEntries(parts), ...(isOpen ? { additionalProperties: false } : {}) }
}
