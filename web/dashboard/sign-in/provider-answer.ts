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
