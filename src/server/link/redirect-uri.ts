import { isLoopbackHost } from '../kernel/loopback.ts'

/**
 * Schemes that belong to no application: they run code, read what is on the user's machine, or open
 * something of the browser or the system.
 */
const rejected = new Set(
  `about acap aim android-app app-settings bitcoin blob callto chrome cid content data dav dict dns
  edge facetime facetime-audio feed file filesystem ftp ftps geo git go gopher hcp help iax im imap
  info intent ipp irc itms itms-apps itms-services jabber jar javascript ldap ldaps livescript magnet
  mailto maps market mhtml microsoft-edge mid mk mms moz news nfs nntp opera package pop pres res
  resource rlogin rtsp sftp shell sip sips skype smb sms smsto snmp ssh steam svn tel telnet tftp urn
  vbscript vnc view-source ws wss wyciwyg xmpp`.split(/\s+/),
)
/** Families of such schemes. */
const rejectedStart = /^(?:chrome|devtools|moz|ms|safari|search|web|x-apple)[-+]/

/**
 * Whether a user can be sent to a URI: https, http to a loopback host, or the scheme of an app. A URI
 * with a user name is none: browsers show it as if it were a part of the host.
 */
export function isRedirectUri(uri: string): boolean {
  if (!URL.canParse(uri)) return false
  const { protocol, hostname, username, password } = new URL(uri)
  if (username !== '' || password !== '') return false
  const scheme = protocol.slice(0, -1)
  if (scheme === 'https') return hostname !== ''
  if (scheme === 'http') return isLoopbackHost(hostname)
  return !rejected.has(scheme) && !rejectedStart.test(scheme)
}
