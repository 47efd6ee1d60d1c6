import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// Here and in every file of the bundle, two folders up is what holds the files that are read as they
// are: the checkout, or `dist`.
const fileAt = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

export const migrationsFolder: string = fileAt('src/server/db/migrations')

export const defaultWorldFolder: string = fileAt('src/server/world/default-world')

/** The same, read and checked when the program was built; the checkout has none. */
export const builtWorldFile: string = fileAt('src/server/world/default-world.json')

/** The bundle of a dated version, or of the control surface `sandbox`. */
export const bundleFile = (document: string): string => fileAt(`generated/${document}/openapi.json`)

/** What a file of the world is checked against by an editor. */
export const worldSchemaFile: string = fileAt('generated/sandbox/world.schema.json')

/** The docs that the last build made; an installed package brings none. */
export const docsFolder = (): string | undefined =>
  [fileAt('docs'), fileAt('dist/docs')].find((folder) => existsSync(`${folder}/index.html`))
