import type { KeyObject } from 'node:crypto'
import { deriveKey, toKeyId } from '../kernel/keys.ts'
import { seal, unseal } from '../kernel/seal.ts'
import type { DataKeyRow } from './store.ts'

/** An ENCRYPTION_KEY, which encrypts only the data keys. */
export interface Master {
  id: string
  key: Uint8Array
}

export interface OpenedKey {
  purpose: DataKeyRow['purpose']
  number: number
  key: Uint8Array
}

export const toMaster = (key: Uint8Array): Master => ({ id: toKeyId(key), key })

const sealingKey = ({ key }: Master): KeyObject => deriveKey(key, 'data keys')

// A key that was moved to another row fails to decrypt.
const placeOf = ({ purpose, number }: Pick<OpenedKey, 'purpose' | 'number'>): string =>
  `${purpose} ${number}`

export const sealKey = (master: Master, opened: OpenedKey, masterNumber: number): DataKeyRow => ({
  purpose: opened.purpose,
  number: opened.number,
  master_id: master.id,
  master_number: masterNumber,
  sealed: seal(sealingKey(master), opened.key, placeOf(opened)),
})

export const openKey = (master: Master, row: DataKeyRow): OpenedKey => ({
  purpose: row.purpose,
  number: row.number,
  key: unseal(sealingKey(master), row.sealed, placeOf(row)),
})
