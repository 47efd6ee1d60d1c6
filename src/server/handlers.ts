import { assetReportCreate } from './asset-reports/assetReportCreate.ts'
import { assetReportFilter } from './asset-reports/assetReportFilter.ts'
import { assetReportGet } from './asset-reports/assetReportGet.ts'
import { identityVerificationCreate } from './identity-verification/identityVerificationCreate.ts'
import { identityVerificationList } from './identity-verification/identityVerificationList.ts'
import { institutionsSearch } from './institutions/institutionsSearch.ts'
import { accountsGet } from './items/accountsGet.ts'
import { identityGet } from './items/identityGet.ts'
import { identityRefresh } from './items/identityRefresh.ts'
import { itemRemove } from './items/itemRemove.ts'
import { liabilitiesGet } from './items/liabilitiesGet.ts'
import type { AnyOperationId, Handlers, SandboxHandlers } from './operation.ts'
import { protectEventSend } from './protect/protectEventSend.ts'
import { sandboxIdentityVerificationAdvance } from './sandbox-identity-verification/sandboxIdentityVerificationAdvance.ts'
import { sandboxIdentityVerificationRetry } from './sandbox-identity-verification/sandboxIdentityVerificationRetry.ts'
import { sandboxIdentityVerificationTemplateCreate } from './sandbox-identity-verification/sandboxIdentityVerificationTemplateCreate.ts'
import { itemPublicTokenExchange } from './sandbox-items/itemPublicTokenExchange.ts'
import { sandboxAccountCreate } from './sandbox-items/sandboxAccountCreate.ts'
import { sandboxAccountUpdate } from './sandbox-items/sandboxAccountUpdate.ts'
import { sandboxIdentityUpdate } from './sandbox-items/sandboxIdentityUpdate.ts'
import { sandboxItemResetLogin } from './sandbox-items/sandboxItemResetLogin.ts'
import { sandboxItemSetHealth } from './sandbox-items/sandboxItemSetHealth.ts'
import { sandboxItemSetVerificationStatus } from './sandbox-items/sandboxItemSetVerificationStatus.ts'
import { sandboxItemVerifyMicrodeposits } from './sandbox-items/sandboxItemVerifyMicrodeposits.ts'
import { sandboxPublicTokenCreate } from './sandbox-items/sandboxPublicTokenCreate.ts'
import { sandboxTransactionsCreate } from './sandbox-transactions/sandboxTransactionsCreate.ts'
import { sandboxTransactionsRemove } from './sandbox-transactions/sandboxTransactionsRemove.ts'
import { sandboxTransactionsSetStatus } from './sandbox-transactions/sandboxTransactionsSetStatus.ts'
import { sandboxTransactionsUpdate } from './sandbox-transactions/sandboxTransactionsUpdate.ts'
import { sandboxBankTransferCreate } from './sandbox-transfers/sandboxBankTransferCreate.ts'
import { sandboxBankTransferSimulate } from './sandbox-transfers/sandboxBankTransferSimulate.ts'
import { sandboxTransferCreate } from './sandbox-transfers/sandboxTransferCreate.ts'
import { sandboxTransferRefundCreate } from './sandbox-transfers/sandboxTransferRefundCreate.ts'
import { sandboxTransferRefundSimulate } from './sandbox-transfers/sandboxTransferRefundSimulate.ts'
import { sandboxTransferSimulate } from './sandbox-transfers/sandboxTransferSimulate.ts'
import { sandboxTransferSweepSimulate } from './sandbox-transfers/sandboxTransferSweepSimulate.ts'
import { sandboxWalletSimulate } from './sandbox-wallets/sandboxWalletSimulate.ts'
import { sandboxWalletTransactionCreate } from './sandbox-wallets/sandboxWalletTransactionCreate.ts'
import { sandboxItemFireWebhook } from './sandbox-webhooks/sandboxItemFireWebhook.ts'
import { sandboxWebhookList } from './sandbox-webhooks/sandboxWebhookList.ts'
import { sandboxWebhookRedeliver } from './sandbox-webhooks/sandboxWebhookRedeliver.ts'
import { sandboxWebhookRotateKey } from './sandbox-webhooks/sandboxWebhookRotateKey.ts'
import { sandboxClientCreate } from './sandbox-world/sandboxClientCreate.ts'
import { sandboxClockAdvance } from './sandbox-world/sandboxClockAdvance.ts'
import { sandboxClockGet } from './sandbox-world/sandboxClockGet.ts'
import { sandboxDashboardUserCreate } from './sandbox-world/sandboxDashboardUserCreate.ts'
import { sandboxErrorClear } from './sandbox-world/sandboxErrorClear.ts'
import { sandboxErrorInject } from './sandbox-world/sandboxErrorInject.ts'
import { sandboxInstitutionCreate } from './sandbox-world/sandboxInstitutionCreate.ts'
import { sandboxRequestList } from './sandbox-world/sandboxRequestList.ts'
import { sandboxReset } from './sandbox-world/sandboxReset.ts'
import { oauthRevoke } from './tokens/oauthRevoke.ts'
import { oauthToken } from './tokens/oauthToken.ts'
import { transactionsGet } from './transactions/transactionsGet.ts'
import { transactionsRefresh } from './transactions/transactionsRefresh.ts'
import { transactionsSync } from './transactions/transactionsSync.ts'
import { bankTransferEventSync } from './transfers/bankTransferEventSync.ts'
import { transferGet } from './transfers/transferGet.ts'
import { transferMigrateAccount } from './transfers/transferMigrateAccount.ts'
import { dashboardUserList } from './users/dashboardUserList.ts'
import { userCreate } from './users/userCreate.ts'
import { walletCreate } from './wallets/walletCreate.ts'
import { walletGet } from './wallets/walletGet.ts'
import { walletList } from './wallets/walletList.ts'
import { webhookVerificationKeyGet } from './webhooks/webhookVerificationKeyGet.ts'

/** What answers each operation of the interface. */
export const handlers: Handlers = {
  oauthToken,
  oauthRevoke,
  accountsGet,
  identityGet,
  identityRefresh,
  liabilitiesGet,
  itemRemove,
  institutionsSearch,
  transactionsSync,
  transactionsGet,
  transactionsRefresh,
  assetReportCreate,
  assetReportGet,
  assetReportFilter,
  identityVerificationCreate,
  identityVerificationList,
  userCreate,
  dashboardUserList,
  walletCreate,
  walletGet,
  walletList,
  transferGet,
  transferMigrateAccount,
  bankTransferEventSync,
  protectEventSend,
  webhookVerificationKeyGet,
}

/** What answers each verb of the control surface. */
export const sandboxHandlers: SandboxHandlers = {
  sandboxPublicTokenCreate,
  itemPublicTokenExchange,
  sandboxItemResetLogin,
  sandboxItemSetHealth,
  sandboxItemVerifyMicrodeposits,
  sandboxItemSetVerificationStatus,
  sandboxAccountCreate,
  sandboxAccountUpdate,
  sandboxIdentityUpdate,
  sandboxTransactionsCreate,
  sandboxTransactionsUpdate,
  sandboxTransactionsRemove,
  sandboxTransactionsSetStatus,
  sandboxIdentityVerificationAdvance,
  sandboxIdentityVerificationRetry,
  sandboxIdentityVerificationTemplateCreate,
  sandboxTransferCreate,
  sandboxTransferSimulate,
  sandboxTransferSweepSimulate,
  sandboxTransferRefundCreate,
  sandboxTransferRefundSimulate,
  sandboxBankTransferCreate,
  sandboxBankTransferSimulate,
  sandboxWalletSimulate,
  sandboxWalletTransactionCreate,
  sandboxItemFireWebhook,
  sandboxWebhookList,
  sandboxWebhookRedeliver,
  sandboxWebhookRotateKey,
  sandboxErrorInject,
  sandboxErrorClear,
  sandboxClockGet,
  sandboxClockAdvance,
  sandboxRequestList,
  sandboxReset,
  sandboxInstitutionCreate,
  sandboxClientCreate,
  sandboxDashboardUserCreate,
}

/** Operations that only read, or write in rare cases: they start without a transaction. */
export const readingOperations: ReadonlySet<AnyOperationId> = new Set<AnyOperationId>([
  'accountsGet',
  'identityGet',
  'liabilitiesGet',
  'institutionsSearch',
  'transactionsSync',
  'transactionsGet',
  'assetReportGet',
  'identityVerificationList',
  'dashboardUserList',
  'walletGet',
  'walletList',
  'transferGet',
  'bankTransferEventSync',
  'webhookVerificationKeyGet',
  'sandboxClockGet',
  'sandboxRequestList',
  'sandboxWebhookList',
])
