import * as generated from '../../../generated/handlers.ts'
import type { Handlers, SandboxHandlers } from '../kernel/operation.ts'

/** What answers each operation of the interface. */
export const handlers: Handlers = generated.handlers

/** What answers each operation of the sandbox. */
export const sandboxHandlers: SandboxHandlers = generated.sandboxHandlers
