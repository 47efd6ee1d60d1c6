import { join } from 'node:path'
import { generatedFolder, type Schema } from '../contract/contract.ts'
import { type FileSchema, writeFileSchema } from './file-schema.ts'

/** The folder under `generated/` of what belongs to files of institutions. */
export const institutionsFolder = 'institution-list'

const settingsOf = {
  file: 'FileSettings',
  simplefin: 'SimplefinSettings',
  upstream: 'UpstreamSettings',
}

const file: FileSchema = {
  source: 'src/institution-list/institutions.schema.yaml',
  script: 'institutions-schema.ts',
  subject: 'institutions',
  folder: institutionsFolder,
  standAlone: 'institutions.schema.json',
  main: 'InstitutionList',
  validators: {
    name: 'institutions',
    schemas: ['InstitutionList', ...Object.values(settingsOf)],
  },
  complete: withSettings,
}

/** Where the stand-alone schema of files of institutions is. */
export const institutionsSchemaFile = join(generatedFolder(institutionsFolder), file.standAlone)

/** Writes the schema of files of institutions for editors, and their types and validators. */
export const institutionsSchema = (): Promise<void> => writeFileSchema(file)

/** Says for each connector which settings it has, with references in place of texts. */
function withSettings(schemas: Record<string, Schema>): Record<string, Schema> {
  const entry = schemas['InstitutionEntry']!
  const rules = Object.entries(settingsOf).map(([connector, name]) => {
    const settings = { $ref: `#/components/schemas/${name}` }
    const required = schemas[name]!.required ? { required: ['settings'] } : {}
    return {
      if: { properties: { connector: { enum: [connector] } } },
      then: { properties: { settings }, ...required },
    }
  })
  const loosened = Object.values(settingsOf).map((name) => [name, withReferences(schemas[name]!)])
  return {
    ...schemas,
    InstitutionEntry: { ...entry, allOf: rules },
    ...Object.fromEntries(loosened),
  }
}

const reference: Schema = { type: 'string', pattern: '^(env|file):' }

/** The same schema, where every text may be a reference. */
function withReferences(schema: Schema): Schema {
  if (schema.type === 'string') return { anyOf: [schema, reference] }
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => [
    name,
    withReferences(property),
  ])
  return {
    ...schema,
    ...(schema.properties ? { properties: Object.fromEntries(properties) } : {}),
    ...(schema.items ? { items: withReferences(schema.items) } : {}),
  }
}
