/** What each kind of later work is given; it is stored as JSON. */
export interface JobPayloads {
  itemExpirationNotice: { item_id: string }
  itemVerificationExpire: { item_id: string; account_key: number }
  transactionsInitialPull: { item_id: string }
  transactionsHistoricalPull: { item_id: string }
  transactionsCheck: { item_id: string }
  linkSessionExpire: { token_hash: string; link_session_id: string }
  linkRest: { token_hash: string; link_session_id: string }
  verificationPageEnd: { identity_verification_id: string }
  identityCheckEnd: {
    identity_verification_id: string
    step: 'watchlist_screening' | 'risk_check'
  }
  assetReportMake: { asset_report_id: string }
  assetReportMakeFast: { asset_report_id: string }
  assetReportFilter: { asset_report_id: string; parent_id: string; excluded: string[] }
}
