export type { BankAccount, BankResponse, BankRow, BankState, Lack, ScriptedBank } from './bank.ts'
export { type CheckResult, checkConnector, checkNames, testConnector } from './checks.ts'
