import { join } from 'node:path'
import { categoryKeys } from '../../src/server/simulation/categories.ts'
import { generatedFolder, type Schema } from '../contract/contract.ts'
import { type FileSchema, writeFileSchema } from './file-schema.ts'

/** The folder under `generated/` of what belongs to files of categories. */
export const categoriesFolder = 'category-list'

const file: FileSchema = {
  source: 'src/category-list/categories.schema.yaml',
  script: 'categories-schema.ts',
  subject: 'categories',
  folder: categoriesFolder,
  standAlone: 'categories.schema.json',
  main: 'CategoryList',
  validators: { name: 'categories', schemas: ['CategoryList'] },
  complete: withCategories,
}

/** Where the stand-alone schema of files of categories is. */
export const categoriesSchemaFile = join(generatedFolder(categoriesFolder), file.standAlone)

/** Writes the schema of files of categories for editors, and their types and validators. */
export const categoriesSchema = (): Promise<void> => writeFileSchema(file)

/** Lists the categories for editors; the service finds the nearest one of a wrong one itself. */
function withCategories(schemas: Record<string, Schema>): Record<string, Schema> {
  const entry = schemas['CategoryEntry']!
  const properties = entry.properties!
  const category = { ...properties['category']!, enum: [...categoryKeys] }
  return { ...schemas, CategoryEntry: { ...entry, properties: { ...properties, category } } }
}
