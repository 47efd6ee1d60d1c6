export type * from '../generated/2020-09-14/types.ts'
export { type Checks, ContractError } from './client/checks.ts'
export {
  AnswerError,
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  type ErrorResponseBody,
  type Methods,
  type RequestBody,
  type ResponseBody,
  type Result,
} from './client/client.ts'
export type { Issue } from './validators/issues.ts'
export type { Validator } from './validators/validate.ts'
