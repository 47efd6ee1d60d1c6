import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../contract/contract.ts'
import { readYaml } from '../contract/yaml-source.ts'
import { declare, writeSource } from './source.ts'

const folder = 'openapi/workflows'

interface Step {
  stepId: string
  operationId: string
  parameters?: unknown[]
  requestBody: { contentType: string; payload: object }
  successCriteria: { condition: string }[]
  outputs?: Record<string, string>
}

interface Written {
  workflows: { workflowId: string; summary: string; steps: Step[]; [key: string]: unknown }[]
}

/** Writes the steps of the workflows, which `conform` runs against a service. */
export function workflows(): void {
  const files = readdirSync(join(root, folder)).filter((file) => file.endsWith('.arazzo.yaml'))
  const all = files.sort().flatMap((file) => {
    const { workflows: found } = readYaml(root, `${folder}/${file}`) as Written
    return found.map(({ workflowId, summary, steps, parameters }) => ({
      ...{ workflowId, summary },
      ...(parameters ? { parameters } : {}),
      steps: steps.map((step) => ({ ...step, operationId: step.operationId.split('.').at(-1) })),
    }))
  })
  writeSource('workflows.ts', 'generate/workflows.ts', [
    "import type { Workflow } from '../src/conform/workflow.ts'\n",
    declare(
      'The steps of every workflow.',
      `const workflows: readonly Workflow[] = ${JSON.stringify(all, null, 1)}`,
    ),
  ])
}
