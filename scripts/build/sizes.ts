import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { isMain, takeArguments } from '../command.ts'
import { root } from '../contract/contract.ts'
import { dashboardSizes } from './dashboard.ts'

/** What an app imports, and the most bytes that it may pay for it. */
interface Import {
  name: string
  code: string
  most?: number
}

const client = `export {
  createClient, ServiceError, ConnectionError, TimeoutError, AnswerError, paginate, syncTransactions,
} from './src/index.ts'`
const verifier = `export { verifyWebhook, WebhookVerificationError } from './src/webhooks/index.ts'`

/** Sizes that are promised, and a few more to compare. */
export const imports: Import[] = [
  { name: 'client with errors, retries and pagination', code: client, most: 6500 },
  { name: 'the same with verifyWebhook', code: `${client}\n${verifier}`, most: 9000 },
  { name: 'createLink', code: `export { createLink } from './src/link/index.ts'`, most: 3000 },
  { name: 'createClient alone', code: `export { createClient } from './src/index.ts'` },
  { name: 'verifyWebhook alone', code: verifier },
  { name: 'openapi-fetch, for comparison', code: `export { default } from 'openapi-fetch'` },
  { name: 'adviceFor', code: `export { adviceFor } from './src/client/advice.ts'` },
  {
    name: 'one enum',
    code: `export { TransferStatus } from '#contract/enums.ts'`,
  },
  {
    name: 'the validators of walletCreate',
    code: `export * from '#contract/validators/walletCreate.js'`,
  },
]

/** The bytes that a browser downloads: one file, without unused code, minified, gzipped. */
export async function sizeOf(code: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: root, sourcefile: join(root, 'app.ts') },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
    write: false,
    logLevel: 'error',
  })
  return gzipSync(outputFiles[0]!.contents, { level: 9 }).length
}

/** The most bytes that a browser loads before it shows a page of the dashboard. */
export const mostOfPage = 100_000

/** Prints a size, and tells whether it is over its limit. */
function tellSize(name: string, size: number, most: number | undefined): boolean {
  const isOver = most !== undefined && size > most
  const limit = most ? ` of ${most}${isOver ? ', TOO LARGE' : ''}` : ''
  console.log(`${String(size).padStart(7)}  ${name}${limit}`)
  return isOver
}

async function sizes(): Promise<void> {
  const over: boolean[] = []
  for (const { name, code, most } of imports) over.push(tellSize(name, await sizeOf(code), most))
  for (const [page, size] of Object.entries(await dashboardSizes())) {
    over.push(tellSize(`dashboard, first load of ${page}`, size, mostOfPage))
  }
  process.exitCode = over.includes(true) ? 1 : 0
}

const usage = `usage: npm run sizes
Prints what browsers download, in bytes, and fails if a size is over its limit.`

if (isMain(import.meta.filename)) {
  takeArguments(usage)
  await sizes()
}
