import { expect } from 'vitest'
import type { Transfer } from '#contract/types.ts'
import type { SandboxTransferCreateRequest } from '../../generated/sandbox/types.ts'
import { eachExample, readBundle } from '../../scripts/contract/contract.ts'
import { findClient } from '../../src/server/clients/store.ts'
import type { Context } from '../../src/server/kernel/context.ts'
import { createContext } from '../../src/server/pipeline/create-context.ts'
import type { Tenant, TestService } from './service.ts'

/** An account of a tenant's, brought in with the numbers for wires unless they are left out. */
export async function migrateAccount(
  tenant: Tenant,
  numbers: { account_number?: string; wire_routing_number?: string } = {
    wire_routing_number: '021000021',
  },
) {
  const { data, error } = await tenant.api.transferMigrateAccount({
    account_number: '000123456789',
    routing_number: '021000021',
    account_type: 'checking',
    ...numbers,
  })
  expect(error).toBeUndefined()
  return data!
}

export type Order = Omit<SandboxTransferCreateRequest, 'account_id'>

/** An ACH debit of 245.10. */
export const debit = {
  type: 'debit',
  network: 'ach',
  ach_class: 'web',
  amount: '245.10',
  description: 'Loan payment 1',
  user: { legal_name: 'Maren Talvik' },
} satisfies Order

export const wire = {
  type: 'credit',
  network: 'wire',
  amount: '3000.00',
  description: 'Loan payout',
  user: { legal_name: 'Maren Talvik' },
} satisfies Order

/** A new transfer on a new account. */
export async function createTransfer(
  tenant: Tenant,
  order: Partial<Order> = {},
): Promise<Transfer> {
  const { account_id } = await migrateAccount(tenant)
  // Whether the fields of an order go together depends on its network, which the caller knows.
  const body = { ...debit, account_id, ...order } as SandboxTransferCreateRequest
  return (await tenant.control('sandboxTransferCreate', body)).transfer
}

/** The transfer as `/transfer/get` shows it. */
export async function readTransfer(tenant: Tenant, transfer_id: string): Promise<Transfer> {
  const { data, error } = await tenant.api.transferGet({ transfer_id })
  expect(error).toBeUndefined()
  return data!.transfer
}

type Event = 'posted' | 'settled' | 'funds_available' | 'cancelled' | 'failed' | 'returned'

/** Makes things happen to a transfer, one after the other. */
export async function simulate(tenant: Tenant, transfer_id: string, ...events: Event[]) {
  for (const event_type of events) {
    await tenant.control('sandboxTransferSimulate', { transfer_id, event_type })
  }
}

/** The code and message of a rejected request. */
export async function errorOf(tenant: Tenant, path: string, body: unknown) {
  const { status, body: answer } = await tenant.post(path, body)
  return { status, code: answer['error_code'], message: String(answer['error_message']) }
}

export const invalidField = (field: string) => ({
  status: 400,
  code: 'INVALID_FIELD',
  message: expect.stringContaining(`\`${field}\``),
})

/** Runs work as a handler of the tenant's runs. */
export const inContext = <Result>(
  { service }: TestService,
  tenant: Tenant,
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> =>
  service.database.transaction(async (db) => {
    const client = await findClient(db, tenant.clientId)
    const now = service.clock() + client!.clock_offset_ms
    return work(createContext(service, db, { client: client!, now }).ctx)
  })

const examples = new Map(eachExample(readBundle()).map(({ name, value }) => [name, value]))

/** An example of the contract, by its name. */
export function exampleOf<Value>(name: string): Value {
  const value = examples.get(name)
  if (value === undefined) throw new Error(`the contract has no example ${name}`)
  return value as Value
}
