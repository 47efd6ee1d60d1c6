import { operations, validators } from '../../../generated/dashboard/operations.ts'
import type { Issue } from '../../validators/issues.ts'
import { checkAnswer } from '../dashboard/answer-page.ts'
import { dashboardDocsOperationGet } from '../dashboard/docs/dashboardDocsOperationGet.ts'
import { dashboardDocsSearch } from '../dashboard/docs/dashboardDocsSearch.ts'
import { dashboardItemFind } from '../dashboard/items/dashboardItemFind.ts'
import { dashboardItemGet } from '../dashboard/items/dashboardItemGet.ts'
import { dashboardItemList } from '../dashboard/items/dashboardItemList.ts'
import { dashboardOverviewGet } from '../dashboard/overview/dashboardOverviewGet.ts'
import type { LookContext } from '../dashboard/page-handler.ts'
import { dashboardRequestGet } from '../dashboard/requests/dashboardRequestGet.ts'
import { dashboardRequestList } from '../dashboard/requests/dashboardRequestList.ts'
import { seesPersonalData } from '../dashboard/roles.ts'
import { type ClientHandler, runForClient } from '../dashboard/run-for-client.ts'
import { dashboardVerificationGet } from '../dashboard/verifications/dashboardVerificationGet.ts'
import { dashboardVerificationList } from '../dashboard/verifications/dashboardVerificationList.ts'
import { dashboardWebhookList } from '../dashboard/webhooks/dashboardWebhookList.ts'
import type { Context } from '../kernel/context.ts'
import { newRequestId } from '../kernel/ids.ts'
import { rejectIssues } from '../pipeline/check-fields.ts'
import type { Body } from '../pipeline/parse-body.ts'
import { actorOf } from './authenticate-agent.ts'
import type { Visit } from './tool-calls.ts'

/** What agents look at, by the operations of the dashboard. */
const handlers = {
  dashboardOverviewGet,
  dashboardRequestList,
  dashboardRequestGet,
  dashboardItemList,
  dashboardItemFind,
  dashboardItemGet,
  dashboardWebhookList,
  dashboardVerificationList,
  dashboardVerificationGet,
  dashboardDocsSearch,
  dashboardDocsOperationGet,
}

export type LookId = keyof typeof handlers

export const isLook = (operationId: string): operationId is LookId =>
  Object.hasOwn(handlers, operationId)

type LookHandler = ClientHandler<Omit<LookContext, keyof Context>>

/** Answers an operation of the dashboard for an agent, who sees what a developer does. */
export async function look(
  { service, calls, agent }: Visit,
  operationId: LookId,
  body: Body,
): Promise<Record<string, unknown>> {
  await checkFields(operationId, body)
  const { environment } = service.settings
  const seen =
    // An agent never decides about a person, so it needs nothing of one.
    operationId !== 'dashboardVerificationGet' && seesPersonalData('developer', environment)
  const who = { actor: actorOf(agent), address: agent.address }
  const extra = { service, who, calls: calls.stored, seesPersonalData: seen }
  // Each takes the body of its own operation, which is checked by now.
  const handler = handlers[operationId] as unknown as LookHandler
  const answer = await runForClient(service, handler, { client: agent.client, body, extra })
  const whole = { ...answer, request_id: newRequestId() }
  checkAnswer(service, operationId, whole)
  return whole
}

export async function checkFields(operationId: LookId, body: Body): Promise<void> {
  const { request } = await validators[operationId]()
  const issues: readonly Issue[] = request.issues(body)
  rejectIssues(issues, operations[operationId])
}
