import { Client as ModernClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Body, Tenant, TestService } from './service.ts'
import { tokensFor } from './token-steps.ts'

/** What a tool has answered. */
export interface ToolAnswer {
  isError: boolean
  texts: string[]
  content: { notice: string; from_outside: string[]; answer: Body } | undefined
}

/** A connected client of the protocol. */
export interface AgentClient {
  list(): Promise<{ name: string; inputSchema: Body; outputSchema?: Body | undefined }[]>
  call(name: string, args?: Body): Promise<ToolAnswer>
  close(): Promise<void>
}

export const agentUrl = ({ url }: TestService): string => `${url}/mcp`

/** A token that a tenant makes for an agent. */
export async function agentToken(
  service: TestService,
  tenant: Tenant,
  scope = 'mcp:dashboard',
): Promise<string> {
  const asked = { grant_type: 'client_credentials', resource: agentUrl(service), scope } as const
  return (await tokensFor(tenant, asked)).access_token
}

/** A bare message, as a program sends it. */
export const sendToAgents = (
  service: TestService,
  message: unknown,
  headers: Record<string, string> = {},
): Promise<Response> =>
  service.fetch(
    new Request(agentUrl(service), {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: typeof message === 'string' ? message : JSON.stringify(message),
    }),
  )

const about = { name: 'a test', version: '1.0.0' }

/** The client of one era of the protocol: that of 2026, or that which begins with `initialize`. */
export async function connectAgent(
  service: TestService,
  token: string,
  era: 'modern' | 'older' = 'modern',
): Promise<AgentClient> {
  const options = {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
    fetch: (url: string | URL, init?: RequestInit) => service.fetch(new Request(url, init)),
  }
  const address = new URL(agentUrl(service))
  if (era === 'older') {
    const client = new OlderClient(about)
    await client.connect(new OlderTransport(address, options) as never)
    return wrap(client as never)
  }
  const client = new ModernClient(about, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  await client.connect(new StreamableHTTPClientTransport(address, options))
  return wrap(client as never)
}

interface Wrapped {
  listTools(): Promise<{ tools: Awaited<ReturnType<AgentClient['list']>> }>
  callTool(asked: { name: string; arguments: Body }): Promise<{
    isError?: boolean
    content: { text: string }[]
    structuredContent?: NonNullable<ToolAnswer['content']>
  }>
  close(): Promise<void>
}

const wrap = (client: Wrapped): AgentClient => ({
  list: async () => (await client.listTools()).tools,
  async call(name, args = {}) {
    const {
      isError = false,
      content,
      structuredContent,
    } = await client.callTool({
      name,
      arguments: args,
    })
    return { isError, texts: content.map(({ text }) => text), content: structuredContent }
  },
  close: () => client.close(),
})
