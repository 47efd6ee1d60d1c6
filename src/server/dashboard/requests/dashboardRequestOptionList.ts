import type { PageHandler } from '../page-handler.ts'
import { loggedCodes, loggedOperations } from './options.ts'

export const dashboardRequestOptionList: PageHandler<'dashboardRequestOptionList'> = async () => ({
  operations: loggedOperations,
  error_codes: loggedCodes,
})
dashboardRequestOptionList.reads = true
