import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eachWebhook, readBundle, resolve, written } from '../contract/contract.ts'
import { base, contractFolder } from '../contract/place.ts'
import type { Page } from './html.ts'
import { webhookPath } from './site.ts'

export const overviewPath = 'overview/'

/** What holds for every operation: `introduction.md` of the contract, with the table of webhooks. */
export function overviewPages(): Page[] {
  const source = `${contractFolder}/introduction.md`
  if (!existsSync(join(base, source))) return []
  const chapter = readFileSync(join(base, source), 'utf8')
  const page = {
    path: overviewPath,
    source,
    title: 'API overview',
    description: 'What holds for every operation: credentials, errors, versions, webhooks, limits.',
    options: { outline: 2 },
    parts: [{ markdown: chapter.replace('<!-- webhooks -->', webhookTable()) }],
  }
  return [page]
}

/** The webhooks as a Markdown table, each with what its body tells. */
function webhookTable(): string {
  const rows = written.map(readBundle).flatMap((contract) =>
    eachWebhook(contract).map(({ name, schema }) => {
      const [type, code] = name.split('.')
      const { description } = resolve(contract, schema)
      return `| \`${type}\` | [\`${code}\`](../${webhookPath(name)}) | ${description} |`
    }),
  )
  return ['| type | code | what it tells |', '|---|---|---|', ...rows].join('\n')
}
