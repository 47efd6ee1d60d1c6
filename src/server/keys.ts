import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** What is kept of secrets: a keyed hash to compare with, or a ciphertext with its key's id. */
export interface Keys {
  /** The hash that a token or secret is stored and looked up by. */
  hash(secret: string): string
  /** Encrypts a value for a column of its own. */
  encrypt(plain: string): string
  decrypt(stored: string): string
}

const nonceLength = 12
const tagLength = 16

/** Derives a key for each purpose from ENCRYPTION_KEY, so that none serves two. */
export function createKeys(encryptionKey: Uint8Array): Keys {
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', encryptionKey, '', `financial-data-service ${purpose}`, 32))
  const hashKey = derive('token hashes')
  const columnKey = derive('columns')
  const keyId = derive('key id').subarray(0, 4).toString('hex')
  return {
    hash: (secret) => createHmac('sha256', hashKey).update(secret).digest('base64url'),
    encrypt(plain) {
      const nonce = randomBytes(nonceLength)
      const cipher = createCipheriv('aes-256-gcm', columnKey, nonce)
      const sealed = [cipher.update(plain, 'utf8'), cipher.final()]
      const bytes = Buffer.concat([nonce, cipher.getAuthTag(), ...sealed])
      return `${keyId}.${bytes.toString('base64url')}`
    },
    decrypt(stored) {
      const [id, text = ''] = stored.split('.')
      if (id !== keyId) throw new Error('a column was encrypted with another ENCRYPTION_KEY')
      const bytes = Buffer.from(text, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', columnKey, bytes.subarray(0, nonceLength))
      decipher.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength))
      const plain = decipher.update(bytes.subarray(nonceLength + tagLength), undefined, 'utf8')
      return plain + decipher.final('utf8')
    },
  }
}

/** Compares without telling by its time where two hashes differ. */
export function isSameHash(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
