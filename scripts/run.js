// Plain JavaScript that any Node can read: it refuses an old one in one line, before the first
// TypeScript file would fail with a riddle. Usage: node scripts/run.js <script> [arguments]
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const needed = 24
const built = { start: '../dist/src/server/main.js', mock: '../dist/src/mock/main.js' }
const [name = '', ...rest] = process.argv.slice(2)

function fail(message) {
  console.error(message)
  process.exit(1)
}

if (Number.parseInt(process.versions.node, 10) < needed) {
  fail(
    `Node ${needed} or newer is needed, and this is ${process.versions.node}. ` +
      '`npm ci` brings one along, unless it runs with --ignore-scripts.',
  )
}
// A folder is started by its main.ts, any other script by its path.
const source = [`./${name}/main.ts`, `./${name}.ts`].find((path) =>
  existsSync(new URL(path, import.meta.url)),
)
if (name === '') fail('usage: node scripts/run.js SCRIPT [arguments]; `npm run` lists the scripts')
if (!built[name] && !source) fail(`scripts/${name} is not there; \`npm run\` lists the scripts`)
const module = new URL(built[name] ?? source, import.meta.url)
if (!existsSync(module)) fail(`${module.pathname} is not there: run \`npm run build\` first`)
if (built[name]) {
  const { staleBuild } = await import('./newer.ts')
  for (const line of staleBuild()) console.error(line)
}
// As if the module had been started by itself; see `isMain` in contract.ts.
process.argv.splice(1, process.argv.length, fileURLToPath(module), ...rest)
await import(module).catch((error) => {
  // Mistakes of the contract are known by file and line; the place in our code says nothing.
  if (error?.name !== 'ContractError') throw error
  fail(error.message)
})
