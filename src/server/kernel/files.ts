import { existsSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'

/** The checkout, or `dist`: the nearest folder above this file that holds `generated`. */
function findBase(folder: string): string {
  if (existsSync(join(folder, 'generated'))) return folder
  const above = dirname(folder)
  if (above === folder)
    throw new Error(`no folder above ${import.meta.dirname} holds \`generated\``)
  return findBase(above)
}

const base = findBase(import.meta.dirname)
const fileAt = (path: string): string => join(base, path)

export const migrationsFolder: string = fileAt('src/server/db/migrations')

export const defaultSeedDataFolder: string = fileAt('src/server/fixtures/default-seed-data')

/** The same, read and checked when the program was built; the checkout has none. */
export const builtSeedDataFile: string = fileAt('src/server/fixtures/default-seed-data.json')

/** The bundle of a dated version, or of the sandbox API (`sandbox`). */
export const bundleFile = (document: string): string => fileAt(`generated/${document}/openapi.json`)

/** What a file of the world is checked against by an editor. */
export const worldSchemaFile: string = fileAt('generated/sandbox/world.schema.json')

/** What the mapping of a CSV file is checked against by an editor. */
export const mappingSchemaFile: string = fileAt('generated/statements/csv-mapping.schema.json')

/** The program that reads a file of institutions in a thread of its own. */
export const institutionsWorker: string = fileAt(
  `src/institution-list/worker${extname(import.meta.filename)}`,
)

/** The program that reads a bank's file in a thread of its own. */
export const statementsWorker: string = fileAt(
  `src/server/sources/worker${extname(import.meta.filename)}`,
)

/** What a file of institutions is checked against by an editor. */
export const institutionsSchemaFile: string = fileAt(
  'generated/institution-list/institutions.schema.json',
)

/** The script with which other pages open the hosted pages. */
export const linkScriptFile: string = fileAt('generated/link.js')

/** What a file of categories is checked against by an editor. */
export const categoriesSchemaFile: string = fileAt('generated/category-list/categories.schema.json')

/** The pages of the dashboard that the last build made. */
export const dashboardFolder = (): string | undefined =>
  [fileAt('dashboard'), fileAt('dist/dashboard')].find((folder) =>
    existsSync(`${folder}/index.html`),
  )

/** The docs that the last build made; an installed package brings none. */
export const docsFolder = (): string | undefined =>
  [fileAt('docs'), fileAt('dist/docs')].find((folder) => existsSync(`${folder}/index.html`))

/** The docs as Markdown: of the package, or those that the last build made. */
export const markdownFolder = (): string | undefined =>
  [fileAt('docs'), fileAt('../docs'), fileAt('dist/docs')].find((folder) =>
    existsSync(`${folder}/guides/quick-start.md`),
  )
