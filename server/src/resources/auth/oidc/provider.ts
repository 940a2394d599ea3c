import * as oidc from 'openid-client'
import { ApiError, errors, inBody } from '#platform/http/errors.ts'
import { type Claims, readClaims } from './claims.ts'
import type { OidcSettings } from './settings.ts'

const TIMEOUT_SECONDS = 10
/** Providers change their keys rarely, and their addresses hardly ever. */
const KNOWN_FOR_MS = 3_600_000
/** Clocks of providers differ from ours. */
const TOLERANCE_SECONDS = 60

/** What ties the answer of a provider to one question of ours. */
export type Question = {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** The user has to prove again who they are, although the provider knows them already. */
  readonly isAgain: boolean
}

/** What the provider says, and its own words for it: it wants to see them again when the person signs out. */
export type VerifiedIdentity = { readonly claims: Claims; readonly idToken: string }

/** What the provider added to the address of our page. */
export type ProviderAnswer = { readonly code: string; readonly state: string; readonly iss?: string }

/** The identity provider of the installation. One per process, because it remembers the provider's addresses and keys. */
export class IdentityProvider {
  readonly settings: OidcSettings
  readonly redirectUri: string
  /** Where the provider sends a person who has signed out there. */
  readonly leftUri: string
  #known: { readonly at: number; readonly configuration: oidc.Configuration } | undefined

  constructor(settings: OidcSettings, redirectUri: string) {
    this.settings = settings
    this.redirectUri = redirectUri
    this.leftUri = new URL('sign-in', redirectUri).href
  }

  /** Where the browser goes to sign in. */
  async addressFor({ state, nonce, verifier, isAgain }: Question): Promise<string> {
    const { scope, acrValues } = this.settings
    const configuration = await this.#configuration()
    const url = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: this.redirectUri,
      scope,
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(acrValues.length > 0 && { acr_values: acrValues.join(' ') }),
      ...(isAgain && { prompt: 'login', max_age: '0' }),
    })
    return url.href
  }

  /** Exchanges the code, and checks signature, issuer, audience, times and nonce of what the provider says. */
  async read(
    answer: ProviderAnswer,
    { state, nonce, verifier }: Question,
    now: Date,
  ): Promise<VerifiedIdentity> {
    const configuration = await this.#configuration()
    const url = new URL(this.redirectUri)
    for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value)
    try {
      const tokens = await oidc.authorizationCodeGrant(configuration, url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      const { id_token: idToken } = tokens
      if (!claims || !idToken || isOfFuture(claims, now)) throw this.#unproved()
      const told = readClaims(this.settings, claims)
      if (told.isWhole || !configuration.serverMetadata().userinfo_endpoint) return { claims: told, idToken }
      const more = await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      return { claims: readClaims(this.settings, { ...more, ...claims }), idToken }
    } catch (error) {
      throw this.#explain(error)
    }
  }

  /** Where the browser goes to sign out. Null: the provider has no such address, or cannot be asked for it. */
  async addressToLeave(idToken: string | null): Promise<string | null> {
    const configuration = await this.#configuration().catch(() => null)
    if (!configuration?.serverMetadata().end_session_endpoint) return null
    const url = oidc.buildEndSessionUrl(configuration, {
      post_logout_redirect_uri: this.leftUri,
      ...(idToken !== null && { id_token_hint: idToken }),
    })
    return url.href
  }

  /** For the doctor: the provider answers, and knows us. Throws otherwise. */
  async probe(): Promise<void> {
    const configuration = await this.#configuration()
    const url = new URL(this.redirectUri)
    url.searchParams.set('code', 'doctor')
    const { issuer, authorization_response_iss_parameter_supported: namesIssuer } =
      configuration.serverMetadata()
    if (namesIssuer) url.searchParams.set('iss', issuer)
    const verifier = oidc.randomPKCECodeVerifier()
    await oidc.authorizationCodeGrant(configuration, url, { pkceCodeVerifier: verifier }).catch((error) => {
      // It refuses the code, which is none, and not us.
      if (isRefusal(error) && error.error === 'invalid_grant') return
      throw this.#explain(error)
    })
  }

  async #configuration(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = this.settings
    const known = this.#known
    if (known && performance.now() - known.at < KNOWN_FOR_MS) return known.configuration
    const isPlain = issuer.startsWith('http:')
    try {
      const configuration = await oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, {
        timeout: TIMEOUT_SECONDS,
        // The settings allow http on this machine only.
        execute: [oidc.enableNonRepudiationChecks, ...(isPlain ? [oidc.allowInsecureRequests] : [])],
      })
      this.#known = { at: performance.now(), configuration }
      return configuration
    } catch (error) {
      throw this.#away(`${issuer} could not be read: ${reasonOf(error)}`)
    }
  }

  #explain(error: unknown): Error {
    if (error instanceof ApiError) return error
    if (isRefusal(error)) {
      if (error.error === 'invalid_grant') return this.#unproved()
      return this.#away(
        `it refused us with ${plain(error.error)}: check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET`,
      )
    }
    if (error instanceof oidc.ClientError && !isNoAnswer(error)) return this.#unproved()
    return this.#away(reasonOf(error))
  }

  #unproved(): ApiError {
    const message = `what ${this.settings.name} said could not be checked, or is too old: begin again`
    return new ApiError('unauthorized', {
      details: [inBody('/code', 'value_error.conflict', message)],
      headers: { 'www-authenticate': 'Bearer' },
    })
  }

  #away(reason: string): ApiError {
    const message =
      `${this.settings.name} did not answer as it should: try again in a moment, or sign in another way. ` +
      `If it stays so, an administrator runs switchyard doctor (${reason})`
    return errors.unanswered('bad_gateway', message)
  }
}

/** The library looks at the end of a token, not at when it was made. */
function isOfFuture({ iat }: oidc.IDToken, now: Date): boolean {
  return iat > now.getTime() / 1000 + TOLERANCE_SECONDS
}

function isRefusal(error: unknown): error is oidc.ResponseBodyError {
  return error instanceof oidc.ResponseBodyError
}

/** As opposed to an answer that says something wrong. */
function isNoAnswer({ code }: oidc.ClientError): boolean {
  return /TIMEOUT|ABORT|NOT_CONFORM|NOT_JSON|PARSE_ERROR|FORBIDDEN/.test(code ?? '')
}

/** In our own words: what a provider sends may hold anything. */
function reasonOf(error: unknown): string {
  if (error instanceof oidc.ClientError) return plain(error.message)
  const { cause } = error as { readonly cause?: { readonly code?: unknown } }
  return typeof cause?.code === 'string' ? plain(cause.code) : 'no connection'
}

function plain(text: string): string {
  return text.replaceAll(/[^\w .:/-]/g, '').slice(0, 100)
}
