import { workflows } from '../../generated/workflows.ts'
import type { Finding } from '../contract/judge-answer.ts'
import { type Case, NotJudged, type Suite } from './case.ts'
import type { Subject } from './subjects.ts'
import { evaluate, fillIn, holds, type Scope, type Step, type Workflow } from './workflow.ts'

/** Each workflow of the contract runs to its end. */
export function workflowCases(suite: Suite, subjects: readonly Subject[]): Case[] {
  if (suite.stateless) return []
  return workflows.map((workflow) => ({
    // The case belongs to the last operation, which the steps before lead to.
    operationId: operationsOf(workflow, subjects).at(-1) ?? 'any',
    group: 'workflows',
    name: workflow.workflowId,
    data: 'changes',
    run: () => runWorkflow(suite, workflow, subjects),
  }))
}

const operationsOf = ({ steps }: Workflow, subjects: readonly Subject[]): string[] =>
  steps
    .map(({ operationId }) => operationId)
    .filter((id) => subjects.some(({ operationId }) => operationId === id))

async function runWorkflow(
  suite: Suite,
  { steps, parameters = [] }: Workflow,
  subjects: readonly Subject[],
): Promise<Finding[]> {
  const { clientId, secret } = suite.client
  const scope: Scope = { inputs: { clientId, secret }, outputs: new Map() }
  if (!suite.sandbox && steps.some(({ operationId }) => operationId.startsWith('sandbox'))) {
    throw new NotJudged('needs the sandbox API')
  }
  for (const step of steps) {
    const own = [...parameters, ...(step.parameters ?? [])].map(({ name, value }) => [
      name,
      String(evaluate(value, scope)),
    ])
    const answered = await suite.target.send({
      path: suite.stage.pathOf(step.operationId),
      method: 'POST',
      headers: { ...suite.stage.headers, ...Object.fromEntries(own) },
      body: new TextEncoder().encode(JSON.stringify(fillIn(step.requestBody.payload, scope))),
    })
    const after = { ...scope, status: answered.status, body: answered.body }
    const subject = subjects.find(({ operationId }) => operationId === step.operationId)
    const findings = [
      ...brokenBy(step, after),
      ...(subject ? subject.judge.judge(step.operationId, answered) : []),
    ]
    if (findings.length > 0) return findings.map((finding) => ofStep(step, finding))
    for (const [name, expression] of Object.entries(step.outputs ?? {})) {
      scope.outputs.set(`${step.stepId}.${name}`, evaluate(expression, after))
    }
  }
  return []
}

const ofStep = ({ stepId, operationId }: Step, { field, message }: Finding): Finding => ({
  field,
  message: `step ${stepId} (${operationId}): ${message}`,
})

const brokenBy = ({ successCriteria }: Step, scope: Scope): Finding[] =>
  successCriteria
    .filter(({ condition }) => !holds(condition, scope))
    .map(({ condition }) => ({
      field: /#\/(\S+)/.exec(condition)?.[1]?.replaceAll('/', '.') ?? 'status',
      message: `must meet: ${condition}`,
    }))
