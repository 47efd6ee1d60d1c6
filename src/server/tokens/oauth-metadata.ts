/** The authorization server's metadata, as RFC 8414 section 2 has it. */
export function toOAuthMetadata(issuer: string): object {
  return { issuer }
}
