import { currentVersion } from '../../../../scripts/contract/contract.ts'
import { type Broken, broken } from './broken.ts'
import type { Corpus } from './corpus.ts'
import { byFacts } from './judge-facts.ts'
import { byRules } from './judge-rules.ts'
import { byAnswers, byExamples, byRequests } from './judge-traffic.ts'
import type { createTypeJudge } from './judge-types.ts'
import { bundleOf, type Mutant, mutate, nameOf } from './mutants.ts'
import { NoSchema } from './no-schema.ts'

export type JudgeName =
  | 'facts'
  | 'rules'
  | 'examples'
  | 'answers'
  | 'requests'
  | 'types'
  /** What Ajv cannot compile: no validator comes of it, whatever any judge knows. */
  | 'compiler'

/** Who notices a mutant, and which judges failed over it, which is no notice. */
export interface Verdict {
  mutant: Mutant
  by: JudgeName[]
  crashes: string[]
}

type Judge = (whole: Broken) => Generator<string>

/** Each knows something of the interface that does not come from the contract's schemas. */
export const judgesOf = (
  corpus: Corpus,
): Record<Exclude<JudgeName, 'types' | 'compiler'>, Judge> => ({
  facts: byFacts,
  rules: (whole) => byRules(whole, bundleOf(whole.version)),
  examples: byExamples,
  answers: (whole) => byAnswers(whole, corpus),
  requests: (whole) => byRequests(whole, corpus),
})

/** Whether a judge has anything against a mutant, in any version that it reaches. */
const notices = (judge: Judge, mutant: Mutant): boolean =>
  mutant.versions.some((version) => !judge(broken(mutant, version, bundleOf(version))).next().done)

/** Lets each judge look at a mutant. */
export function judged(corpus: Corpus, mutant: Mutant): Verdict {
  const by = new Set<JudgeName>()
  const crashes: string[] = []
  for (const [name, judge] of Object.entries(judgesOf(corpus)) as [JudgeName, Judge][]) {
    try {
      if (notices(judge, mutant)) by.add(name)
    } catch (error) {
      if (error instanceof NoSchema) by.add('compiler')
      else crashes.push(`${name}: ${nameOf(mutant)}: ${String(error)}`)
    }
  }
  return { mutant, by: [...by], crashes }
}

/** Enters whether what is written against the types still compiles. */
export async function judgeTypes(
  judge: ReturnType<typeof createTypeJudge>,
  { mutant, by, crashes }: Verdict,
): Promise<void> {
  if (!mutant.versions.includes(currentVersion)) return
  try {
    const found = await judge(mutant, mutate(mutant, currentVersion))
    if (found !== undefined) by.push('types')
  } catch (error) {
    crashes.push(`types: ${nameOf(mutant)}: ${String(error)}`)
  }
}
