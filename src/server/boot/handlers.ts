import * as generated from '../../../generated/handlers.ts'
import type { PageHandlers } from '../dashboard/answer-page.ts'
import type { DashboardHandlers } from '../dashboard/page-handler.ts'
import type { Handlers, PlatformHandlers, SandboxHandlers } from '../kernel/operation.ts'
import type { Handler, HandlerTable } from '../pipeline/pipeline.ts'

/** What answers each operation of the interface. */
export const handlers: Handlers = generated.handlers

/** What answers each operation of the platform API. */
export const platformHandlers: PlatformHandlers = generated.platformHandlers

/** What answers each operation of the sandbox API. */
export const sandboxHandlers: SandboxHandlers = generated.sandboxHandlers

/** What answers each operation of the dashboard's pages. */
export const dashboardHandlers: DashboardHandlers = generated.dashboardHandlers

const all: Readonly<Record<string, unknown>> = {
  ...handlers,
  ...platformHandlers,
  ...sandboxHandlers,
}

/** All of them, as the pipeline asks for them. */
export const handlerTable: HandlerTable = {
  // Each takes bodies of its own operation, which the pipeline has checked by then.
  find: (operationId) => all[operationId] as Handler,
  isLong: (operationId) => Object.hasOwn(sandboxHandlers, operationId),
}

/** The same for the pages. A handler takes bodies of its own operation, which are checked by then. */
export const pageHandlers: PageHandlers = {
  ofClient: (operationId) =>
    dashboardHandlers[operationId] as unknown as ReturnType<PageHandlers['ofClient']>,
  ofVisit: (operationId) =>
    dashboardHandlers[operationId] as unknown as ReturnType<PageHandlers['ofVisit']>,
}
