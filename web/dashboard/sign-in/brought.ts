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

/** What the identity provider added to the address: a code, or why there is none. */
export type FromProvider = {
  readonly code?: string
  readonly state: string
  readonly iss?: string
  readonly error?: string
}

const PAGE = /[/]dashboard[/]oidc[/]?$/
const NAMES = ['code', 'state', 'iss', 'error'] as const

let answer: FromProvider | undefined

/** Takes it out of the address before anything else runs: a code must not stay in the history of the browser. */
export function takeProviderAnswer(): FromProvider | undefined {
  if (PAGE.test(location.pathname) && location.search !== '') {
    const query = new URLSearchParams(location.search)
    const given = NAMES.flatMap((name) => (query.has(name) ? [[name, query.get(name) ?? '']] : []))
    answer = { state: '', ...Object.fromEntries(given) }
    history.replaceState(null, '', location.pathname)
  }
  return answer
}

takeProviderAnswer()

/** A sign-in at the identity provider that this browser has begun, and no other can finish. */
export type Begun = {
  readonly state: string
  readonly browser_key: string
  /** The address at which the person wanted to be. */
  readonly next: string
  /** Whether it goes on in a window beside the page, which waits for it. */
  readonly isBeside: boolean
}

const PLACE = 'switchyard.oidc'

export function keepBegun(begun: Begun): void {
  localStorage.setItem(PLACE, JSON.stringify(begun))
}

/** Undefined if this browser has not begun it. Each is finished once. */
export function takeBegun(state: string): Begun | undefined {
  const kept = localStorage.getItem(PLACE)
  const begun = kept === null ? undefined : (JSON.parse(kept) as Begun)
  if (begun?.state !== state) return undefined
  localStorage.removeItem(PLACE)
  return begun
}
