const LENGTH_MAX = 2_048
const DATA_LENGTH_MAX = 20_000
/** For apps without a URL to return to. */
const DATA = /^data:application\/json;base64,[\x21-\x7e]*$/
const SCHEME = /^([a-z][a-z0-9+.-]{0,63}):/i

/**
 * Schemes to which a browser or an operating system gives a meaning of its own: they run what follows, open files and
 * settings, or lead elsewhere. None is the scheme of a shop's app.
 */
// biome-ignore format: one name in each line would bury the rules below
const KNOWN: ReadonlySet<string> = new Set([
  'about', 'acct', 'addbook', 'aim', 'app-settings', 'apt', 'bitcoin', 'blob', 'bluetooth', 'brave',
  'callto', 'cid', 'content', 'data', 'dav', 'devtools', 'disk', 'dns', 'edge', 'facetime', 'facetime-audio',
  'feed', 'file', 'filesystem', 'finger', 'ftp', 'ftps', 'geo', 'git', 'gopher', 'help', 'hcp', 'imap',
  'inetres', 'intent', 'ipp', 'ipps', 'irc', 'irc6', 'ircs', 'itms', 'itmss', 'itms-apps',
  'itms-services', 'jar', 'javascript', 'jdbc', 'ldap', 'ldaps', 'livescript', 'magnet', 'mailto', 'market',
  'maps', 'mhtml', 'mid', 'mk', 'mms', 'mmst', 'mmsu', 'mocha', 'news', 'nfs', 'nntp', 'opera', 'pcast',
  'pop', 'prefs', 'res', 'resource', 'rlogin', 'rtsp', 'search', 'search-ms', 'settings', 'sftp', 'shell',
  'shortcuts', 'sip', 'sips', 'skype', 'smb', 'sms', 'smsto', 'snews', 'ssh', 'steam', 'stun', 'stuns', 'svn',
  'tel', 'telnet', 'tftp', 'turn', 'turns', 'vbs', 'vbscript', 'view-cache', 'view-source', 'vivaldi', 'vnc',
  'wais', 'webcal', 'webcals', 'wpad', 'ws', 'wss', 'wyciwyg', 'xmpp', 'xul',
])
const FAMILIES = [/^android-/, /^chrome/, /-extension$/, /^moz-/, /^ms-/, /^safari-/, /^x-apple/, /^x-safari/]

/** Completes the message “must be”. */
export const REDIRECT_URL_EXPECTED =
  'where a buyer can return to: a web address, such as https://shop.example.com/paid, or a link of your own app, such as myapp://paid'

/**
 * Whether a buyer can be sent there: to a web page, or to an app by its own scheme. Spaces and control
 * characters are refused, because browsers ignore them inside a link.
 */
export function isRedirectUrl(value: string): boolean {
  if (value.startsWith('data:')) return value.length <= DATA_LENGTH_MAX && DATA.test(value)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (value.length > LENGTH_MAX || /[\s\x00-\x1f\x7f]/.test(value) || !URL.canParse(value)) return false
  const scheme = SCHEME.exec(value)?.[1]?.toLowerCase()
  if (scheme === undefined || value.length === scheme.length + 1) return false
  // Browsers would correct a missing host.
  if (scheme === 'http' || scheme === 'https') return /^https?:\/\/[^/\\?#]/i.test(value)
  return !KNOWN.has(scheme) && !FAMILIES.some((family) => family.test(scheme))
}
