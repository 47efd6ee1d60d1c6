import { listInjectable } from '../../sandbox/world/inject-error.ts'
import type { PageHandler } from '../page-handler.ts'

export const dashboardErrorOptionList: PageHandler<'dashboardErrorOptionList'> = async () => ({
  operations: listInjectable(),
})
dashboardErrorOptionList.reads = true
