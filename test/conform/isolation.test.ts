import { expect, test } from 'vitest'
import { sharedIn } from '../../src/conform/isolation-cases.ts'

const wallet = { wallet_id: 'wallet-0a1b2c3d4e5f', request_id: 'f1e2d3c4b5a69788' }

test('an id that both answers have is one of another client', () => {
  const theirs = { wallets: [wallet], next_cursor: null }
  expect(sharedIn(theirs, { wallets: [{ wallet_id: wallet.wallet_id }] }, '{}')).toEqual([
    { field: 'wallets[0].wallet_id', message: 'is an id of another client' },
  ])
})

test('an id that the request names is not', () => {
  expect(sharedIn(wallet, wallet, JSON.stringify(wallet))).toEqual([])
})

test('a cursor is no id: two clients that ask at once may get the same', () => {
  const answer = { requests: [], next_cursor: 'dGFpbDo3MzU2MTIzNDU2Nzg5MA' }
  expect(sharedIn(answer, answer, '{}')).toEqual([])
})
