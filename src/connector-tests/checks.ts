import type { Connector } from '../connector/connector.ts'
import type { Lack, ScriptedBank } from './bank.ts'
import { contentChecks } from './content-checks.ts'
import { failureChecks } from './failure-checks.ts'
import { orderChecks } from './order-checks.ts'
import { createRun, type Run } from './run.ts'

/** Something that every connector must do. */
export interface Check {
  name: string
  /** What a bank can lack, so that there is nothing to check. */
  lacks?: Lack
  /** What the scripted bank has to have for it. */
  needs?: 'wrongAnswer'
  run(run: Run, bank: ScriptedBank): void | Promise<void>
}

const checks: readonly Check[] = [...orderChecks, ...contentChecks, ...failureChecks]

/** The names of all checks. */
export const checkNames: readonly string[] = checks.map(({ name }) => name)

/** What became of a check. */
export interface CheckResult {
  name: string
  result: 'passed' | 'failed' | 'skipped'
  /** Why it failed, or was skipped. */
  message?: string
}

const reasonToSkip = ({ lacks, needs }: Check, bank: ScriptedBank): string | undefined => {
  if (lacks !== undefined && bank.lacks?.includes(lacks)) return `the bank lacks ${lacks}`
  return needs !== undefined && bank[needs] === undefined ? `the bank has no ${needs}` : undefined
}

async function runCheck(
  check: Check,
  create: () => Connector,
  bank: ScriptedBank,
): Promise<CheckResult> {
  const { name } = check
  const reason = reasonToSkip(check, bank)
  if (reason !== undefined) return { name, result: 'skipped', message: reason }
  try {
    await check.run(createRun(create, bank), bank)
    return { name, result: 'passed' }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { name, result: 'failed', message }
  }
}

/**
 * Holds a connector against all checks, each with a connector of its own that `create` makes.
 *
 * @example
 * ```ts
 * import type { Connector } from 'financial-data-service/connector'
 * import { checkConnector, type ScriptedBank } from 'financial-data-service/connector-tests'
 *
 * declare const harborBank: Connector
 * declare const bank: ScriptedBank
 *
 * const results = await checkConnector(() => harborBank, bank)
 * const isRight = results.every(({ result }) => result !== 'failed')
 * if (!isRight) process.exitCode = 1
 * ```
 */
export async function checkConnector(
  create: () => Connector,
  bank: ScriptedBank,
): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  for (const check of checks) results.push(await runCheck(check, create, bank))
  return results
}

/**
 * Registers each check as a test, by the `test` of Vitest or of `node:test`.
 *
 * @example
 * ```ts
 * import { test } from 'node:test'
 * import type { Connector } from 'financial-data-service/connector'
 * import { type ScriptedBank, testConnector } from 'financial-data-service/connector-tests'
 *
 * declare const harborBank: Connector
 * declare const bank: ScriptedBank
 *
 * testConnector(test, () => harborBank, bank)
 * ```
 */
export function testConnector(
  test: (name: string, work: () => Promise<void>) => unknown,
  create: () => Connector,
  bank: ScriptedBank,
): void {
  for (const check of checks) {
    if (reasonToSkip(check, bank) !== undefined) continue
    test(check.name, async () => {
      const { result, message } = await runCheck(check, create, bank)
      if (result === 'failed') throw new Error(message)
    })
  }
}
