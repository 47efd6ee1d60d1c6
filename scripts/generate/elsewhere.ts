import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { choosePlace, typedIn } from '../contract/choose-place.ts'
import { ContractError } from '../contract/contract-error.ts'

interface Options {
  /** The folder of the contract. */
  contract: string
  /** The folder of the package. */
  out: string
  docs: boolean
}

/** What npm puts into the folder of a package, and a new package keeps. */
const ofNpm = ['node_modules', 'package-lock.json']

/** Writes a package for another contract. What was there before stays until all of the new one is. */
export async function generateElsewhere({ contract, out, docs }: Options): Promise<void> {
  const target = resolve(typedIn(), out)
  if (!isFree(target)) {
    const words = 'the folder holds files that `generate` has not written: choose another one'
    throw new ContractError([`${out}: ${words}`])
  }
  mkdirSync(dirname(target), { recursive: true })
  const fresh = mkdtempSync(join(dirname(target), `.${basename(target)}-`))
  try {
    choosePlace({ contract: resolve(typedIn(), contract), out: fresh })
    await writeAll(docs)
    for (const name of ofNpm) {
      if (existsSync(join(target, name))) renameSync(join(target, name), join(fresh, name))
    }
    rmSync(target, { recursive: true, force: true })
    renameSync(fresh, target)
    console.log(`written to ${out}`)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/** What a run writes. */
const ofPackage = ['docs', 'generated', 'mock.json', 'package.json', 'src', 'tsconfig.json']

/** Whether the folder is new, empty, or what an earlier run wrote and nothing else. */
function isFree(folder: string): boolean {
  if (!existsSync(folder)) return true
  const found = readdirSync(folder).filter((name) => !ofNpm.includes(name))
  const isPackage = found.includes('mock.json') && found.includes('generated')
  return found.length === 0 || (isPackage && found.every((name) => ofPackage.includes(name)))
}

/** Loads the generators now that they find the contract. */
async function writeAll(docs: boolean): Promise<void> {
  const { generate } = await import('./generate.ts')
  const { problemsFound } = await import('./explain-failure.ts')
  const { runtime } = await import('./runtime.ts')
  await generate(() => problemsFound())
  runtime()
  if (!docs) return
  const { docsElsewhere } = await import('../docs/elsewhere.ts')
  await docsElsewhere()
}
