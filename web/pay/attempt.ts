/**
 * A secret for each number of tries. The server shows a payment to the browser that knows its secret, so a page that lost
 * the answer, or was loaded again, finds its own payment. It is kept for this tab if the browser allows it, and the latest
 * one for this browser.
 */
export function attemptFor(path: string, tries: number): string {
  const known = read(path)
  if (known?.tries === tries) return known.secret
  const secret = newSecret()
  write(path, { tries, secret })
  return secret
}

/**
 * The secret of the latest form of this tab, or else of this browser: the tab may have been closed while the bank asked.
 * Null: none was made, or storage is blocked.
 */
export function latestAttempt(path: string): string | null {
  return read(path)?.secret ?? readLatest(path)
}

/** Without `randomUUID`, which browsers have only in pages with TLS. */
function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

type Kept = { readonly tries: number; readonly secret: string }

const inMemory = new Map<string, Kept>()

function read(path: string): Kept | undefined {
  const kept = inMemory.get(path)
  if (kept) return kept
  try {
    const { tries, secret } = JSON.parse(sessionStorage.getItem(path) ?? '{}')
    return typeof tries === 'number' && typeof secret === 'string' ? { tries, secret } : undefined
  } catch {
    return undefined
  }
}

/** One order at a time, so that nothing piles up. Two tabs have secrets of their own, or one would take the other's payment for its own. */
const LATEST = 'switchyard-pay'

function readLatest(path: string): string | null {
  try {
    const kept = JSON.parse(localStorage.getItem(LATEST) ?? '{}')
    return kept.path === path && typeof kept.secret === 'string' ? kept.secret : null
  } catch {
    return null
  }
}

function write(path: string, kept: Kept): void {
  inMemory.set(path, kept)
  try {
    sessionStorage.setItem(path, JSON.stringify(kept))
    localStorage.setItem(LATEST, JSON.stringify({ path, secret: kept.secret }))
  } catch {
    // Storage is blocked. Until the page is closed, memory does.
  }
}
