import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, relative } from 'node:path'
import type { Readable } from 'node:stream'
import { createServer } from 'vitepress'
import { readConfig } from '../../src/server/config/config.ts'
import { buildDashboard } from '../build/dashboard.ts'
import { runCommand } from '../command.ts'
import { currentVersion, documents, root, sourceFolder } from '../contract/contract.ts'
import { undated } from '../contract/undated.ts'
import { writePages } from '../docs/write-pages.ts'
import { bundle } from '../generate/bundle.ts'
import { errors } from '../generate/errors.ts'
import { generate } from '../generate/generate.ts'
import { operations } from '../generate/operations.ts'
import { types } from '../generate/types.ts'
import { runStep } from '../run-step.ts'
import { validators } from '../validators/validators.ts'

// `npm run dev`: shows each edit of the contract or the sources in the service and in the docs. What
// an edit shows in comes first; older versions, types and lint follow while one looks at it.

const usage = `usage: npm run dev [-- options of \`npm start\`]
Serves the docs at the address of PORT (4000), and in them the service, from the sources. Each edit shows there.`

const port = Number(process.env['PORT'] ?? 4000)
const servicePort = port + 1

let service: ChildProcess | undefined

/** Builds the pages of the dashboard into the folder that the service reads them from. */
const buildPages = () => buildDashboard(join(root, 'dist'))

/** Restarts the service, and returns once it answers. */
async function restartService(): Promise<void> {
  if (service && service.exitCode === null) {
    service.kill()
    await once(service, 'exit')
  }
  const env = { ...process.env, PUBLIC_URL: `http://127.0.0.1:${port}` }
  const args = [join(root, 'scripts/dev/dev-service.ts'), '--port', String(servicePort)]
  const stdio: StdioOptions = ['ignore', 'pipe', 'inherit']
  service = spawn(process.execPath, [...args, ...process.argv.slice(2)], { env, stdio })
  await Promise.race([once(service.stdout as Readable, 'data'), once(service, 'exit')])
}

/** The document that shows an edit: the one without versions whose files were edited, or the current version. */
const documentOf = (files: string[]): string =>
  undated.find((name) => files.every((file) => file.startsWith(`${sourceFolder(name)}/`))) ??
  currentVersion

/** What an edit of the contract needs before one can see it. */
async function showContract(document: string): Promise<void> {
  bundle([document])
  errors()
  operations([document])
  await writePages()
  await Promise.all([restartService(), validators([document])])
}

/** Brings every document but the one that is shown up to date. */
async function catchUp(shown: string): Promise<void> {
  const others = documents.filter((document) => document !== shown)
  bundle(others)
  operations(others)
  await validators(others)
  await types()
  // The service may have loaded another document that was stale until now.
  await restartService()
  lintContract()
}

/** Reports mistakes of the contract, with file and line. */
function lintContract(): void {
  const file = 'node_modules/@redocly/cli/bin/cli.js'
  runStep({ name: 'contract', file, args: ['lint', 'main', ...undated, '--format=stylish'] })
}

let queue = Promise.resolve()
let timer: NodeJS.Timeout | undefined
const edited = new Set<string>()

/** Gathers what one save of an editor touches, and shows it when the last edit has been shown. */
function noteEdit(file: string): void {
  edited.add(file)
  clearTimeout(timer)
  timer = setTimeout(() => {
    const files = [...edited]
    edited.clear()
    queue = queue.then(() => show(files))
  }, 30)
}

async function show(files: string[]): Promise<void> {
  const start = performance.now()
  const edits = files.filter((file) => file.startsWith('openapi/'))
  const contract = edits.length > 0
  const document = documentOf(edits)
  try {
    if (files.some((file) => file.startsWith('src/docs/guides/'))) await writePages()
    if (files.some((file) => file.startsWith('src/dashboard/'))) await buildPages()
    await (contract ? showContract(document) : restartService())
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    console.log(`${files.join(', ')}: shown after ${seconds} s`)
    if (contract) await catchUp(document)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    if (contract) lintContract()
    console.error('the last edit that was whole is still shown')
  }
}

async function main(): Promise<boolean> {
  // A wrong option is told before anything is done.
  if (readConfig(process.argv.slice(2), process.env) === 'help') {
    console.log(usage)
    return true
  }
  await generate()
  await Promise.all([writePages(), buildPages()])
  await restartService()
  // It has told the reason.
  if (service?.exitCode !== null) return false
  const server = await createServer(join(root, 'src/docs'), {
    port,
    strictPort: true,
    host: '127.0.0.1',
    // The docs' server stands in front: what is not a page of theirs is for the service.
    proxy: { '^/(?!docs/)': `http://127.0.0.1:${servicePort}` },
  })
  await server.listen()
  server.watcher.add([join(root, 'openapi'), join(root, 'src')])
  server.watcher.on('all', (event, file) => {
    const path = relative(root, file)
    // The docs' server watches its own sources, but not what pages are made of.
    const ours = /^(openapi|src)\//.test(path) && !/^src\/docs\/(?!guides\/)/.test(path)
    if (ours && ['add', 'change', 'unlink'].includes(event)) noteEdit(path)
  })
  console.log(`\nservice http://127.0.0.1:${port}, docs http://127.0.0.1:${port}/docs/\nwatching`)
  process.once('exit', () => service?.kill())
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit())
  return true
}

await runCommand(main)
