/** A token, or what makes one. */
export type TokenSource = string | (() => string | Promise<string>)

export type TokenKeeper = {
  /** The token to send now. */
  readonly get: () => Promise<string>
  /** The service has refused this token. Tells whether a new one may do better: if this one was not new itself. */
  readonly forget: (token: string) => boolean
}

type Kept = { readonly token: string; readonly renewAt: number; isNew: boolean }

const MARGIN_MS = 60_000

/** Keeps a token until shortly before it ends. Calls at the same time share one new token. */
export function keepToken(source: TokenSource): TokenKeeper {
  if (typeof source === 'string') return { get: async () => source, forget: () => false }
  let kept: Kept | undefined
  let pending: Promise<string> | undefined

  async function renew(make: Exclude<TokenSource, string>): Promise<string> {
    const token = await make()
    kept = { token, renewAt: renewalOf(token, Date.now()), isNew: true }
    return token
  }

  return {
    get: async () => {
      if (kept !== undefined && Date.now() < kept.renewAt) {
        kept.isNew = false
        return kept.token
      }
      pending ??= renew(source).finally(() => {
        pending = undefined
      })
      return pending
    },
    forget: (token) => {
      if (kept?.token !== token) return true
      const { isNew } = kept
      kept = undefined
      return !isNew
    },
  }
}

/** A minute before the end. Of a token that lives for a few minutes only, when a fifth of its time is left. */
function renewalOf(token: string, now: number): number {
  const endsAt = endOf(token)
  if (endsAt === undefined) return Number.POSITIVE_INFINITY
  return endsAt - Math.min(MARGIN_MS, (endsAt - now) / 5)
}

/** The claim `exp`, or nothing if the token cannot be read: then it is kept until the service refuses it. */
function endOf(token: string): number | undefined {
  try {
    const payload = token.split('.')[1] ?? ''
    const claims = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    return typeof claims.exp === 'number' ? claims.exp * 1_000 : undefined
  } catch {
    return undefined
  }
}
