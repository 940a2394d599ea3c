import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { OidcSettings } from '#resources/auth/oidc/settings.ts'

const CLIENT = { id: 'switchyard', secret: 'canary-client-secret' }
const ALGORITHM = 'ES256'

type Claims = Record<string, unknown>
type Begun = { readonly query: URLSearchParams; readonly claims: Claims }

/**
 * A small identity provider in this process: discovery, keys, authorization with PKCE, tokens, details of the user. It signs in
 * the person that `person` describes, at once, and does wrong what a test tells it to.
 */
export class IdentityProvider {
  /** Who sits at the browser. */
  person: Claims = {}
  /** Claims of the ID token that are wrong, or left out if undefined. */
  wrong: Claims = {}
  /** Claims that only `/userinfo` tells. */
  more: Claims = {}
  /** When the person signed in at the provider. It asks again only if it is told to. */
  signedInAt = 0
  /** The time at which people sign in there. Tests that move a clock hand it in. */
  clock = () => new Date()
  asksAgain = true
  isAway = false
  /** Whether people can sign out by an address. */
  hasSignOut = true
  /** The ID tokens of people who have signed out. */
  readonly left: string[] = []
  signsWithOtherKey = false
  readonly issuer: string
  readonly #server: ReturnType<typeof createServer>
  readonly #keys: Awaited<ReturnType<typeof generateKeyPair>>
  readonly #others: Awaited<ReturnType<typeof generateKeyPair>>
  readonly #begun = new Map<string, Begun>()
  readonly #tokens = new Map<string, Claims>()

  static async start(): Promise<IdentityProvider> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const keys = [await generateKeyPair(ALGORITHM), await generateKeyPair(ALGORITHM)] as const
    return new IdentityProvider(server, keys)
  }

  private constructor(
    server: ReturnType<typeof createServer>,
    [keys, others]: readonly [
      Awaited<ReturnType<typeof generateKeyPair>>,
      Awaited<ReturnType<typeof generateKeyPair>>,
    ],
  ) {
    this.#server = server
    this.#keys = keys
    this.#others = others
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    server.on('request', (request, response) => void this.#answer(request, response))
  }

  settings(changes: Partial<OidcSettings> = {}): OidcSettings {
    return {
      issuer: this.issuer,
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
      name: 'Example Inc.',
      scope: 'openid profile email',
      rolesClaim: 'groups',
      roles: new Map([
        ['payments-admins', ['administrator']],
        ['support', ['customer-support']],
        ['viewers', ['report-viewer']],
      ]),
      accountsClaim: null,
      acrValues: [],
      ...changes,
    }
  }

  /** The person signs in at the provider. */
  signInNow(): void {
    this.signedInAt = Math.floor(this.clock().getTime() / 1000)
  }

  /** As a browser that goes there and comes back: what the provider adds to the address of our page. */
  async visit(authorizationUrl: string): Promise<Record<string, string>> {
    const response = await fetch(authorizationUrl, { redirect: 'manual' })
    const location = response.headers.get('location')
    if (!location) throw new Error(`the provider answered ${response.status}: ${await response.text()}`)
    return Object.fromEntries(new URL(location).searchParams)
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.issuer)
    if (this.isAway) {
      response.writeHead(503).end('<h1>Away</h1>')
      return
    }
    if (url.pathname === '/authorize') {
      response.writeHead(302, { location: this.#authorize(url.searchParams) }).end()
      return
    }
    if (url.pathname === '/leave') {
      this.left.push(url.searchParams.get('id_token_hint') ?? '')
      response.writeHead(302, { location: url.searchParams.get('post_logout_redirect_uri') ?? '' }).end()
      return
    }
    const [status, body] = await this.#answerJson(url.pathname, request)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  async #answerJson(path: string, request: IncomingMessage): Promise<[number, object]> {
    if (path === '/.well-known/openid-configuration') return [200, this.#description()]
    if (path === '/keys') {
      return [200, { keys: [{ ...(await exportJWK(this.#keys.publicKey)), alg: ALGORITHM, use: 'sig' }] }]
    }
    if (path === '/token') return this.#exchange(new URLSearchParams(await text(request)))
    const claims = this.#tokens.get(String(request.headers.authorization).replace('Bearer ', ''))
    return claims ? [200, { sub: claims['sub'], ...this.more }] : [401, {}]
  }

  #description(): object {
    const { issuer } = this
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/keys`,
      ...(this.hasSignOut && { end_session_endpoint: `${issuer}/leave` }),
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [ALGORITHM],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    }
  }

  #authorize(query: URLSearchParams): string {
    const isAgain = this.asksAgain && query.get('prompt') === 'login' && query.get('max_age') === '0'
    if (isAgain) this.signInNow()
    const code = randomBytes(16).toString('base64url')
    this.#begun.set(code, { query, claims: { auth_time: this.signedInAt, ...this.person } })
    const back = new URL(query.get('redirect_uri') ?? '')
    back.searchParams.set('code', code)
    back.searchParams.set('state', query.get('state') ?? '')
    back.searchParams.set('iss', this.issuer)
    return back.href
  }

  async #exchange(sent: URLSearchParams): Promise<[number, object]> {
    const isClient = sent.get('client_id') === CLIENT.id && sent.get('client_secret') === CLIENT.secret
    if (!isClient) return [401, { error: 'invalid_client' }]
    const code = sent.get('code') ?? ''
    const begun = this.#begun.get(code)
    this.#begun.delete(code)
    const challenge = createHash('sha256')
      .update(sent.get('code_verifier') ?? '')
      .digest('base64url')
    const isHis =
      begun?.query.get('code_challenge') === challenge &&
      begun.query.get('redirect_uri') === sent.get('redirect_uri')
    if (!begun || !isHis) return [400, { error: 'invalid_grant' }]
    const accessToken = randomBytes(16).toString('base64url')
    this.#tokens.set(accessToken, begun.claims)
    const idToken = await this.#sign(begun)
    return [200, { access_token: accessToken, token_type: 'Bearer', id_token: idToken }]
  }

  #sign({ query, claims }: Begun): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const standard = {
      iss: this.issuer,
      aud: CLIENT.id,
      iat: now,
      exp: now + 300,
      nonce: query.get('nonce') ?? undefined,
    }
    const key = this.signsWithOtherKey ? this.#others : this.#keys
    return new SignJWT({ ...standard, ...claims, ...this.wrong })
      .setProtectedHeader({ alg: ALGORITHM })
      .sign(key.privateKey)
  }
}
