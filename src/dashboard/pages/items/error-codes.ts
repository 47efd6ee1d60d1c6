import type { Schemas } from '../../data/api.ts'

type Code = NonNullable<Schemas['DashboardItemHealthSetRequest']['error_code']>

/** What an Item of the sandbox can be made to fail with, each with what it means for the user. */
const titles: Readonly<Record<Code, string>> = {
  ITEM_LOGIN_REQUIRED: 'the user has to sign in again',
  ITEM_LOCKED: 'the bank locked the account',
  ITEM_NOT_SUPPORTED: 'the bank account is not supported',
  ITEM_NOT_FOUND: 'the Item is gone',
  ITEM_CONCURRENTLY_DELETED: 'the Item was removed meanwhile',
  USER_SETUP_REQUIRED: 'the user has to act at the bank',
  PASSWORD_RESET_REQUIRED: 'the password has to be reset',
  ACCESS_NOT_GRANTED: 'access was not granted',
  USER_PERMISSION_REVOKED: 'the user revoked access',
  NO_ACCOUNTS: 'no accounts',
  NO_LIABILITY_ACCOUNTS: 'no liability accounts',
  PRODUCT_NOT_READY: 'the product is not ready',
  PRODUCT_NOT_ENABLED: 'the product is not enabled',
  PRODUCTS_NOT_SUPPORTED: 'the products are not supported',
  INSTITUTION_DOWN: 'the institution is down',
  INSTITUTION_NOT_RESPONDING: 'the institution does not respond',
  INSTITUTION_NOT_AVAILABLE: 'the institution is not available',
  INSTITUTION_NO_LONGER_SUPPORTED: 'the institution is no longer supported',
  UNSUPPORTED_RESPONSE: 'the response is not supported',
}

export const healthErrors = Object.entries(titles) as [Code, string][]
