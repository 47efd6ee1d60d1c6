import type { JobPayloads } from '../../../server/kernel/job-payloads.ts'
import type { Schemas } from '../../data/api.ts'
import { counted } from '../../data/words.ts'

const units: [noun: string, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** How far the clock of the client is ahead, in its two largest units. */
export function aheadWords(from: string, to: string): string {
  let seconds = Math.round((Date.parse(to) - Date.parse(from)) / 1000)
  if (seconds < 2) return 'Not ahead'
  const parts: string[] = []
  for (const [noun, length] of units) {
    const whole = Math.floor(seconds / length)
    if (whole > 0) parts.push(counted(whole, noun))
    seconds -= whole * length
  }
  if (parts.length === 0) parts.push(counted(seconds, 'second'))
  return parts.slice(0, 2).join(' and ')
}

type Effect = Schemas['DashboardErrorEffect']

export const effectWords: Record<Effect, { text: string; means: string }> = {
  error: { text: 'Error', means: 'The calls answer an error.' },
  delay: { text: 'Delay', means: 'The answers come late.' },
  drop: {
    text: 'Dropped connection',
    means: 'The connection is closed without an answer, after the call took effect.',
  },
  unknown_enum: {
    text: 'Unknown values',
    means: 'The answers have an enum value and a field that no contract knows.',
  },
}
export const effects = Object.keys(effectWords) as Effect[]

export const contentWords: Record<Schemas['DashboardContent']['kind'], string> = {
  items: 'Items, with those that were removed',
  users: 'Users',
  transfers: 'Transfers',
  bank_transfer_events: 'Bank transfer events',
  wallets: 'Wallets',
  identity_verifications: 'Identity verifications',
  asset_reports: 'Asset reports',
  institutions: 'Own institutions',
  dashboard_users: 'Users of the dashboard',
}

type Source = Schemas['DashboardSeedDataGetResponse']['source']

export const sourceWords: Record<Source, string> = {
  default: 'The default data set',
  file: 'The default data set and the file of --fixture',
  none: 'None: a reset leaves the client without data',
}

const jobs: Record<keyof JobPayloads, string> = {
  itemExpirationNotice: 'Tell that the consent of an Item ends',
  itemVerificationExpire: 'End the verification of an account',
  transactionsInitialPull: 'Read the first transactions of an Item',
  transactionsHistoricalPull: 'Read the history of an Item',
  transactionsCheck: 'Check an Item for new transactions',
  linkSessionExpire: 'End a session of Link',
  linkRest: 'Finish a session of Link',
  verificationPageEnd: 'Close a verification page',
  identityCheckEnd: 'End a check of a verification',
  assetReportMake: 'Make an asset report',
  assetReportMakeFast: 'Make a fast asset report',
  assetReportFilter: 'Filter an asset report',
}

/** What a kind of work does. */
export const jobWords = (kind: string): string => jobs[kind as keyof JobPayloads] ?? kind
