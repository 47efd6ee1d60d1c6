import { appendFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Contract, documents, isMain, root } from '../contract/contract.ts'
import { newerSource } from '../newer.ts'
import { allowanceOf } from './allowance.ts'
import {
  type Base,
  bundlesAt,
  bundlesNow,
  findBase,
  type Git,
  gitIn,
  releasedBefore,
  UsageError,
} from './base.ts'
import { toAnnotations, toJson, toMarkdown, toTerminal } from './formats.ts'
import { canonical } from './meaning.ts'
import { findMoves, withoutMoved } from './moves.ts'
import { isRejected, type Report, toReport } from './report.ts'
import { review, reviewMove } from './review.ts'
import { compareVersions, documentsOfBoth } from './versions.ts'

const usage = `usage: npm run diff [-- BASE] [options]

Prints what the working tree changes in the contract for programs that call the service. It compares
with the commit that the working tree shares with BASE: a branch, a tag or a commit, by default
origin/main or main.

  --format FORMAT   terminal (the default), markdown or json
  --markdown FILE   writes it there as Markdown too
  --json FILE       and as JSON
  --help            shows this

It exits with 1 if something breaks clients and the version number does not announce it, and with 2
if there is nothing to compare with. CONTRIBUTING.md says what breaks clients.`

const formats = ['terminal', 'markdown', 'json']

interface Options {
  base: string | undefined
  format: string
  markdown: string | undefined
  json: string | undefined
}

function main(): void {
  try {
    const options = readOptions()
    if (options) run(options)
    else console.log(usage)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    console.error(error.message)
    process.exitCode = 2
  }
}

function run(options: Options): void {
  const newer = newerSource(['openapi/**/*.yaml'], ['generated/*/openapi.json'])
  if (newer) console.error(`${newer} is newer than generated/: run \`npm run generate\` to see it`)
  const git = gitIn(root)
  const report = reportSince(git, findBase(git, options.base), bundlesNow(documents))
  write(report, options)
  process.exitCode = isRejected(report) ? 1 : 0
}

function readOptions(): Options | undefined {
  const text = { type: 'string' } as const
  const options = { markdown: text, json: text, help: { type: 'boolean' } } as const
  try {
    const { values, positionals } = parseArgs({
      options: { ...options, format: { ...text, default: 'terminal' } },
      allowPositionals: true,
    })
    if (values.help) return undefined
    if (positionals.length > 1) throw new Error('There is one BASE at most')
    if (!formats.includes(values.format))
      throw new Error(`--format is one of ${formats.join(', ')}`)
    return { base: positionals[0], markdown: undefined, json: undefined, ...values }
  } catch (error) {
    const [reason] = (error as Error).message.split('. ')
    throw new UsageError(`${reason}; see \`npm run diff -- --help\``)
  }
}

/** What changed between a commit and the bundles of now. */
export function reportSince(git: Git, base: Base, after: Map<string, Contract>): Report {
  const before = bundlesAt(git, base)
  const moves = findMoves(before, after)
  const both = documentsOfBoth(withoutMoved(before, after, moves), after)
  const versionOf = (bundles: typeof after) => [...bundles.values()][0]!.info.version
  const findings = [...review(both), ...moves.flatMap(reviewMove)]
  const told = new Set(findings.flatMap((one) => one.documents))
  const harmless = [...both].filter(([name, contracts]) => {
    return !told.has(name) && canonical(contracts.before) !== canonical(contracts.after)
  })
  return toReport([...compareVersions(before, after), ...findings], {
    base,
    version: allowanceOf(releasedBefore(git, base) ?? versionOf(before), versionOf(after)),
    documents: [...after.keys()],
    harmless: harmless.map(([name]) => name),
  })
}

function write(report: Report, { format, markdown, json }: Options): void {
  const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY, FORCE_COLOR } = process.env
  const { stdout } = process
  const hasColors = (stdout.isTTY && stdout.hasColors()) || FORCE_COLOR === '1'
  if (format === 'json') stdout.write(toJson(report))
  else if (format === 'markdown') stdout.write(toMarkdown(report))
  else stdout.write(toTerminal(report, hasColors))
  if (GITHUB_ACTIONS === 'true' && format === 'terminal') stdout.write(toAnnotations(report))
  if (GITHUB_STEP_SUMMARY) appendFileSync(GITHUB_STEP_SUMMARY, toMarkdown(report))
  if (markdown) writeFileSync(markdown, toMarkdown(report))
  if (json) writeFileSync(json, toJson(report))
}

if (isMain(import.meta.filename)) main()
