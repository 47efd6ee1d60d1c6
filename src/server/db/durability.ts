import type { Database } from '../kernel/database.ts'

/**
 * Server settings that allow the loss of confirmed commits, and the failure that causes the loss.
 */
const risks: Readonly<Record<string, string>> = {
  fsync: 'a power cut can destroy the database',
  synchronous_commit:
    'a crash of the database server can lose the last moments of what was answered',
}

/** Returns the durability problems of a server's database, as seen by our connections. */
export async function findRisks({ shared, single }: Database): Promise<string[]> {
  // The embedded store sets its own durability, and nothing can override it.
  if (!shared) return []
  const columns = Object.keys(risks).map((name) => `current_setting('${name}') as ${name}`)
  const settings = await single.first<Record<string, string>>(`select ${columns.join(', ')}`)
  return Object.entries(risks).flatMap(([name, risk]) =>
    settings?.[name] === 'off' ? [`${name} is off: ${risk}`] : [],
  )
}
