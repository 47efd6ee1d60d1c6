import type { Input } from '../sources/connector.ts'

/** A request for a hosted page, without what belongs to HTTP. */
export interface PageRequest {
  /** Whether it sends a form. */
  isWrite: boolean
  /** Whether a page of this service sent it. */
  isSameOrigin: boolean
  /** The header `Cookie`. */
  cookies: string
  /** The header `Accept-Language`: chooses the words where no link token does. */
  languages: string
  query: URLSearchParams
  form: URLSearchParams
  /** The file that a form brings, while it arrives. */
  file?: Input['file']
  /** The IP address of the sender, as far as it is known. */
  peer?: string
}

/** The answer to it: a page, or another address. */
export type PageAnswer =
  | {
      status: number
      html: string
      /** After how many seconds the browser asks for the page again. */
      renewSeconds?: number
    }
  | { location: string; cookie?: string }

/** The hosted pages of link tokens. */
export interface HostedPages {
  /** The address that a key opens. */
  open(key: string, request: PageRequest): Promise<PageAnswer>
  /** A step of a session. */
  step(sessionId: string, step: string, request: PageRequest): Promise<PageAnswer>
  /** The address to which the website of an institution leads back. */
  comeBack(request: PageRequest): Promise<PageAnswer>
  /** The invented website, which only the sandbox has. */
  website(request: PageRequest): Promise<PageAnswer>
  /** The page for a request that failed, by its status. */
  failure(status: number, languages: string): PageAnswer
}

/** The pages of identity verifications. */
export interface VerifyPages {
  /** The address of an attempt; the query has its key. */
  open(id: string, request: PageRequest): Promise<PageAnswer>
  /** A page of a session. */
  page(sessionId: string, page: string, request: PageRequest): Promise<PageAnswer>
  /** The page for a request that failed, by its status. */
  failure(status: number, languages: string): PageAnswer
}

/** The pages without those for failures, which are there before the others are loaded. */
export type Answering<Pages extends { failure: unknown }> = Omit<Pages, 'failure'>
