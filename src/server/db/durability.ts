import type { Database } from '../kernel/database.ts'

/** Settings of a server with which it may forget what it has confirmed, and when that shows. */
const risks: Readonly<Record<string, string>> = {
  fsync: 'a power cut can destroy the database',
  synchronous_commit:
    'a crash of the database server can lose the last moments of what was answered',
}

/** What is weak about the durability of a server's database, as our connections see it. */
export async function findRisks({ shared, single }: Database): Promise<string[]> {
  // The embedded store sets its own, and nothing else can.
  if (!shared) return []
  const columns = Object.keys(risks).map((name) => `current_setting('${name}') as ${name}`)
  const settings = await single.first<Record<string, string>>(`select ${columns.join(', ')}`)
  return Object.entries(risks).flatMap(([name, risk]) =>
    settings?.[name] === 'off' ? [`${name} is off: ${risk}`] : [],
  )
}
