/** A request of an agent as it arrived. */
export interface AgentRequest {
  method: string
  headers: Readonly<Record<string, string | undefined>>
  body: string
  /** The address that stands for the sender, behind trusted proxies too. */
  address: string
}

/** What is sent back. */
export interface AgentAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  body: string
}
