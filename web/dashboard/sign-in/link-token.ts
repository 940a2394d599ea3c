/** Pages that people open with a one-time link. */
const LINKED = /[/](setup|invitation)[/]?$/

let token = ''

/**
 * Takes the token out of the address before anything else runs: it must not stay in the history of the browser, or be shared
 * with the address. It lives in this variable alone.
 */
export function takeLinkToken(): string {
  if (LINKED.test(location.pathname) && location.hash.length > 1) {
    token = location.hash.slice(1)
    history.replaceState(null, '', `${location.pathname}${location.search}`)
  }
  return token
}

takeLinkToken()
