import { join } from 'node:path'
import { generatedFolder } from '../contract/contract.ts'
import { type FileSchema, writeFileSchema } from './file-schema.ts'

/** The folder under `generated/` of what belongs to statement files. */
export const statementsFolder = 'statements'

const file: FileSchema = {
  source: 'src/statements/csv/mapping.schema.yaml',
  script: 'mapping-schema.ts',
  subject: 'statement files',
  folder: statementsFolder,
  standAlone: 'csv-mapping.schema.json',
  main: 'CsvMapping',
  validators: { name: 'mapping', schemas: ['CsvMapping'] },
}

/** Where the stand-alone schema of mappings is. */
export const mappingSchemaFile = join(generatedFolder(statementsFolder), file.standAlone)

/** Writes the schema of mappings for editors, and their types and validator from it. */
export const mappingSchema = (): Promise<void> => writeFileSchema(file)
