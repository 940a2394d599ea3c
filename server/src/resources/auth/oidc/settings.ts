/** The identity provider at which users can sign in, and what its claims mean here. */
export type OidcSettings = {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Completes "Sign in with …". */
  readonly name: string
  readonly scope: string
  readonly rolesClaim: string
  /** Slugs of roles, by a value of the claim. Other values give nothing. */
  readonly roles: ReadonlyMap<string, readonly string[]>
  /** Null: the provider does not say on which merchant accounts a user may act. */
  readonly accountsClaim: string | null
  /** The provider must name one of these as how it checked the user. Empty: it need not say. */
  readonly acrValues: readonly string[]
}
