import { tools } from '../../../generated/tools.ts'
import { audit } from '../audit/audit.ts'
import { toApiError } from '../http/error-answer.ts'
import { ApiError } from '../kernel/errors.ts'
import { markdownFolder } from '../kernel/files.ts'
import type { AnyOperationId } from '../kernel/operation.ts'
import { redact } from '../kernel/redact.ts'
import { type Body, flawOf } from '../pipeline/parse-body.ts'
import { actorOf } from './authenticate-agent.ts'
import { checkFields, isLook, type LookId, look } from './look.ts'
import { type Marked, markOutside } from './mark-outside.ts'
import { withoutPerson } from './show-body.ts'
import type { Visit } from './tool-calls.ts'

export type Tool = (typeof tools)[number]

/** The tools of a token, always in the same order. Where no docs are installed, none looks for them. */
export function toolsFor(acts: boolean): readonly Tool[] {
  const hasDocs = markdownFolder() !== undefined
  return tools.filter((tool) => (acts || !tool.acts) && (hasDocs || tool.name !== 'search_docs'))
}

export const findTool = (name: unknown): Tool | undefined =>
  tools.find((tool) => tool.name === name)

/** The docs and the contract are ours; all else can hold what others have written. */
const ownTexts: readonly LookId[] = ['dashboardDocsSearch', 'dashboardDocsOperationGet']

/** Runs a tool. The audit log has each call before its answer leaves. @throws ApiError */
export async function runTool(visit: Visit, tool: Tool, body: Body): Promise<Marked> {
  const subject = await findSubject(visit, tool, body)
  // What changes something is in the log even if the process ends on the way.
  if (tool.acts) await auditTool(visit, tool, { subject })
  try {
    const answer = await answerTool(visit, tool, body, subject)
    if (!tool.acts) await auditTool(visit, tool, { subject })
    return answer
  } catch (thrown) {
    await auditTool(visit, tool, { subject, rejected: toApiError(thrown, false).code })
    throw thrown
  }
}

async function answerTool(visit: Visit, tool: Tool, body: Body, subject: unknown): Promise<Marked> {
  if (tool.name === 'debug_item') {
    return markOutside(await look(visit, 'dashboardItemGet', { item_id: subject }), tool.plain)
  }
  const { operationId } = tool
  if (!isLook(operationId)) return markOutside(await act(visit, tool, body), tool.plain)
  const answer = await look(visit, operationId, body)
  if (ownTexts.includes(operationId)) return { answer, places: [] }
  const shown = operationId === 'dashboardRequestGet' ? withoutPerson(answer) : answer
  return markOutside(shown, tool.plain)
}

/** What a call is about, once its fields are checked. */
async function findSubject(visit: Visit, tool: Tool, body: Body): Promise<unknown> {
  try {
    rejectFlaws(body)
    rejectUnknown(tool, body)
    if (isLook(tool.operationId)) await checkFields(tool.operationId, body)
    if (tool.name !== 'debug_item') return objectOf(body)
    // The text that is looked for may be a token, so the audit log has the Item that was found.
    return (await look(visit, 'dashboardItemFind', body))['item_id']
  } catch (thrown) {
    const { code } = toApiError(thrown, false)
    await auditTool(visit, tool, { rejected: code })
    throw thrown
  }
}

/** What no store supports, such as U+0000, as in the body of an operation. */
function rejectFlaws(body: Body): void {
  const flaw = findFlawIn(body)
  if (flaw === undefined) return
  throw new ApiError('INVALID_REQUEST.INVALID_BODY.400', { message: flaw })
}

function findFlawIn(body: Body): string | undefined {
  try {
    return flawOf(JSON.stringify(body))
  } catch {
    // Thousands of levels use up the stack.
    return 'the body has too many levels'
  }
}

/** The contract has more fields than an agent: those of its credentials and tokens are left out. */
function rejectUnknown({ input }: Tool, body: Body): void {
  const known = Object.keys(input.properties)
  const unknown = Object.keys(body).filter((field) => !known.includes(field))
  if (unknown.length === 0) return
  const message = `the tool takes these fields only: ${known.map((field) => `\`${field}\``).join(', ')}`
  throw new ApiError('UNKNOWN_FIELDS', { message })
}

/** Changes something in the sandbox. The call stands in the list of requests, like one of a program. */
async function act(visit: Visit, { name, operationId }: Tool, body: Body): Promise<object> {
  const { calls, agent, withoutPermit } = visit
  const { client_id } = agent.client
  const answer = await calls.run(client_id, operationId as AnyOperationId, body, withoutPermit)
  if (name !== 'create_item') return answer
  // The public token stays here: it finds the Item, and nobody can exchange it.
  const { item_id } = await look(visit, 'dashboardItemFind', { text: answer['public_token'] })
  return look(visit, 'dashboardItemGet', { item_id })
}

const objects = ['id', 'item_id', 'webhook_id', 'identity_verification_id', 'operation'] as const

/** What a call is about, by the first field that names an object. An agent may name a secret there. */
function objectOf(body: Body): string | undefined {
  const value = objects.map((field) => body[field]).find((one) => typeof one === 'string')
  return value === undefined ? undefined : redact(String(value).slice(0, longestId))
}

const longestId = 128

/** Stands in the audit log for a name that no tool has. */
export const unknownTool = { name: 'unknown' } as const

/** What the audit log has of a call. */
interface ToolAudit {
  subject?: unknown
  /** The code of the error, if the call failed. */
  rejected?: string
}

/** Writes a call to the audit log. */
export const auditTool = (
  { service, agent }: Visit,
  { name }: Pick<Tool, 'name'> | typeof unknownTool,
  { subject, rejected }: ToolAudit,
): Promise<void> =>
  service.database.transaction(
    (db) =>
      audit(service, db, {
        actor: actorOf(agent),
        action: `agent.${name.replaceAll('_', '-')}`,
        client_id: agent.client.client_id,
        ...(typeof subject === 'string' ? { subject } : {}),
        details: { address: agent.address, ...(rejected === undefined ? {} : { rejected }) },
      }),
    { owner: agent.client.client_id },
  )
