import { join } from 'node:path'
import { isMain, takeArguments } from '../command.ts'
import { currentVersion, sourceFolder, versions, written } from '../contract/contract.ts'
import { base, contractFolder, isOwn } from '../contract/place.ts'
import { ofPages, sandbox, undated } from '../contract/undated.ts'
import { runGroups, type Step } from '../run-step.ts'

const onGithub = process.env['GITHUB_ACTIONS'] === 'true'
const fileOf = (path: string): string => (isOwn ? path : join(base, path))
const overlays = versions
  .filter((version) => version !== currentVersion)
  .map((version) => fileOf(`${contractFolder}/versions/${version}.overlay.yaml`))

/** Ours have names in redocly.yaml, with a rule or two of their own. */
const roots = isOwn
  ? ['main', ...undated, ...ofPages]
  : [...written, ...ofPages].map((name) => fileOf(`${sourceFolder(name)}/openapi.yaml`))

const bundles = [
  'generated/openapi.json',
  ...[...undated, ...ofPages].map((name) => `generated/${name}/openapi.json`),
]

const seedData = `generated/${sandbox}/openapi.json`
const stock = ['--config', 'openapi/versions/redocly.yaml']

/** Looks for mistakes in the contract, file and line at each, and in the code. */
const sourceSteps: Step[] = [
  {
    name: 'contract',
    file: 'node_modules/@redocly/cli/bin/cli.js',
    args: [
      'lint',
      ...roots,
      ...['--config', 'redocly.yaml'],
      ...(onGithub ? ['--format=github-actions'] : []),
    ],
  },
  {
    name: 'older versions',
    file: 'node_modules/@redocly/cli/bin/cli.js',
    args: ['lint', ...overlays, '--config', 'openapi/versions/redocly.yaml'],
  },
  { name: 'sources', file: 'scripts/lint/sources.ts', args: [] },
  { name: 'overlays', file: 'scripts/lint/overlays.ts', args: [] },
  { name: 'prose', file: 'scripts/lint/prose/main.ts', args: [] },
  { name: 'operations', file: 'scripts/lint/operations.ts', args: [] },
  {
    name: 'code',
    file: 'node_modules/@biomejs/biome/bin/biome',
    args: ['check', '--error-on-warnings', ...(onGithub ? ['--reporter=github'] : [])],
  },
]

/** Looks for mistakes in what is generated, which has to be there as a whole by then. */
const bundleSteps: Step[] = [
  {
    name: 'bundles',
    file: 'node_modules/@stoplight/spectral-cli/dist/index.js',
    args: ['lint', ...bundles, '--ruleset', 'spectral.yaml', '--fail-severity=warn'],
  },
  {
    // As others run it, without our rules and exceptions; `test:consumers` does so for older versions.
    name: 'stock rules',
    file: 'node_modules/@redocly/cli/bin/cli.js',
    args: ['lint', ...bundles.filter((bundle) => bundle !== seedData), ...stock],
  },
  {
    // Its schema of seed data is there for the schema's own file, and no operation takes it.
    name: 'stock rules, sandbox',
    file: 'node_modules/@redocly/cli/bin/cli.js',
    args: ['lint', seedData, ...stock, '--skip-rule', 'no-unused-components'],
  },
]

export const lintSteps = { sources: sourceSteps, bundles: bundleSteps }

const usage = `usage: npm run lint
Looks for mistakes in the contract, in its generated documents and in the code: file and line of each.`

if (isMain(import.meta.filename)) {
  takeArguments(usage)
  await runGroups([...sourceSteps, ...bundleSteps])
}
