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
