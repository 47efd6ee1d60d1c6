import { pathToFileURL } from 'node:url'
import type { Bundle, Example } from './bundles.ts'

interface Schema {
  safeParse(value: unknown): { success: boolean; error?: { issues: Issue[] } }
}
interface Issue {
  path: PropertyKey[]
  message: string
}

/** Holds the contract's examples against the zod schemas that a consumer made of the contract. */
export async function checkExamples(bundle: Bundle, files: string[]): Promise<void> {
  const schemas = await loadSchemas(files)
  const problems = bundle.examples.flatMap((example) => problemsOf(schemas, example))
  if (problems.length > 0) throw new Error(problems.slice(0, 20).join('\n'))
}

async function loadSchemas(files: string[]): Promise<Map<string, Schema>> {
  const schemas = new Map<string, Schema>()
  for (const file of files) {
    const module = (await import(pathToFileURL(file).href)) as Record<string, unknown>
    const all = { ...module, ...(module['schemas'] as object | undefined) }
    for (const [name, schema] of Object.entries(all)) {
      if (isSchema(schema)) schemas.set(name.toLowerCase(), schema)
    }
  }
  return schemas
}

const isSchema = (value: unknown): value is Schema =>
  typeof (value as Partial<Schema> | undefined)?.safeParse === 'function'

function problemsOf(schemas: Map<string, Schema>, example: Example): string[] {
  const schema = namesOf(example)
    .map((name) => schemas.get(name.toLowerCase()))
    .find((found) => found !== undefined)
  if (!schema) return [`no schema for ${example.schema}`]
  const { error } = schema.safeParse(example.value)
  return (error?.issues ?? []).map(
    ({ path, message }) => `${example.name}: ${path.map(String).join('.')}: ${message}`,
  )
}

/** What the consumers call the schema. */
function namesOf({ schema, operationId, isRequest }: Example): string[] {
  const byOperation = `${operationId}${isRequest ? 'Body' : 'Response'}`
  return [schema, `z${schema}`, `${schema}Schema`, byOperation]
}
