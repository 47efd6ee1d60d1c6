import type { Limits, Window } from '../../connector/connector.ts'

export type {
  Connector as Protocol,
  ConnectorContext as ProtocolContext,
  Message,
  SourceIssue,
  Window,
} from '../../connector/connector.ts'

/** What SimpleFIN reads. */
export interface Reading {
  secret: string
  window: Window
  /** What the read before it left; undefined for the first one. */
  state: unknown
  /** Whether to read accounts and balances alone. */
  balancesOnly?: boolean
}

/** How often a source may be called. */
export type CallLimits = Required<Omit<Limits, 'requestsPerCall'>>
