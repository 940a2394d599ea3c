/** A session of an active user, and what the user may do now. */
export type SignedIn = {
  readonly sessionId: string
  readonly userId: string
  readonly name: string
  readonly emailAddress: string
  readonly permissions: readonly string[]
  /** Empty means all. */
  readonly merchantAccountIds: readonly string[]
  readonly lastUsedAt: Date
  readonly provedAt: Date
  readonly expiresAt: Date
}
