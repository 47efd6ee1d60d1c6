import { currentVersion, type Version } from './select-version.ts'
import { createStep, type Step, type VersionFile } from './step.ts'

/** The operation and the version of a request. */
interface Asked {
  operationId: string
  version: Version
}

const known = new Map<string, Promise<Step[]>>()

/** The steps from a version to the current one; each older version is a file. */
function stepsOf(version: string): Promise<Step[]> {
  const steps = known.get(version) ?? loadSteps(version)
  known.set(version, steps)
  return steps
}

async function loadSteps(version: string): Promise<Step[]> {
  if (version === currentVersion) return []
  const { file } = (await import(/* @vite-ignore */ `./${version}.ts`)) as { file: VersionFile }
  const step = createStep(file)
  return [step, ...(await stepsOf(step.newer))]
}

/** The body of a request of that version as the current version has it. */
export async function upgradeRequest<Body extends object>(
  { operationId, version }: Asked,
  body: Body,
): Promise<Body> {
  const steps = await stepsOf(version)
  return steps.reduce(
    (older: object, step) => step.upgradeRequest(operationId, older),
    body,
  ) as Body
}

/** An answer of the current version as that version has it. */
export async function downgradeAnswer(
  { operationId, version }: Asked,
  answer: object,
): Promise<object> {
  const steps = await stepsOf(version)
  return steps.reduceRight((newer, step) => step.downgradeAnswer(operationId, newer), answer)
}
