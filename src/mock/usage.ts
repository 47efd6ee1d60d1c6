/** The options as `--help` shows them, of the command that starts the mock. */
export const usage = (command: string): string => `usage: ${command} [options]
  --port PORT       PORT              listen on this port, 0 for a free one (4010)
  --host HOST       HOST              bind this address (127.0.0.1)
  --public-url URL  PUBLIC_URL        set the URL by which clients reach the mock (the address that it binds)
                    CORS_ORIGIN       allow these browser origins too, separated by commas (loopback only)
                    ALLOWED_HOSTS     accept these Host headers too, separated by commas (the host of PUBLIC_URL)

examples:
  ${command} --port 0`
