import { constants, publicEncrypt, randomBytes, randomUUID } from 'node:crypto'
import { completed, isCardNumber, tokenFor } from '../card-numbers.ts'
import { type Json, newId, Refusal, type Reply } from './books.ts'
import { isObject } from './contract.ts'

/** An access key that nothing but the stand-in accepts, for the services of Checkout.com's vault. */
export const ACCESS_KEY = { client_id: 'ack_standinforcheckout', client_secret: 'secret-of-the-stand-in' }

const SCOPES: Readonly<Record<string, string>> = {
  'account-updater': 'vault:real-time-account-updater',
  'network-tokens': 'vault:network-tokens',
}
const TOKEN_SECONDS = 3_600

type NetworkToken = { readonly card: Json; readonly id: string; readonly number: string; state: string }

/** What the vault of Checkout.com knows: replaced cards, and tokens of cards. */
export class VaultServices {
  readonly #now: () => Date
  readonly #tokens = new Map<string, { readonly scope: string; readonly until: number }>()
  /** The merchant's public key. Null: new numbers are not sent. */
  publicKey: string | null = null
  /** By the number of the card. A deleted one is gone. */
  readonly tokens = new Map<string, NetworkToken>()

  constructor(now: () => Date) {
    this.#now = now
  }

  /** OAuth 2.0, as at the host `access`. */
  giveToken(request: Request, text: string): Reply {
    const { client_id, client_secret } = ACCESS_KEY
    const basic = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`
    if (request.headers.get('authorization') !== basic)
      return { status: 400, body: { error: 'invalid_client' } }
    const form = new URLSearchParams(text)
    const scope = form.get('scope') ?? ''
    if (form.get('grant_type') !== 'client_credentials')
      return { status: 400, body: { error: 'unsupported_grant_type' } }
    if (!Object.values(SCOPES).includes(scope)) return { status: 400, body: { error: 'invalid_scope' } }
    const access_token = randomUUID()
    this.#tokens.set(access_token, { scope, until: this.#now().getTime() + TOKEN_SECONDS * 1_000 })
    return { status: 200, body: { access_token, expires_in: TOKEN_SECONDS, token_type: 'Bearer', scope } }
  }

  /** Whether a path is one of these services: they take tokens, and no secret key. */
  isTheirs(path: string): boolean {
    return (path.split('/')[1] ?? '') in SCOPES
  }

  checkToken(request: Request, path: string): void {
    const token = this.#tokens.get(request.headers.get('authorization')?.replace(/^Bearer /, '') ?? '')
    if (!token || token.until < this.#now().getTime()) throw new Refusal(401)
    if (token.scope !== SCOPES[path.split('/')[1] ?? '']) throw new Refusal(403)
  }

  /** Takes tokens back before their time. */
  revoke(): void {
    this.#tokens.clear()
  }

  serve(method: string, path: string, body: Json): Reply {
    const [, service, id = '', act] = path.split('/')
    if (service === 'account-updater') return { status: 200, body: this.#updateCard(body) }
    if (id === '') return { status: 201, body: this.#provision(body) }
    const token = [...this.tokens.values()].find((one) => one.id === id)
    if (!token) throw new Refusal(404)
    if (method === 'GET') {
      // What was requested is there when it is asked about.
      if (token.state === 'requested') token.state = 'active'
      return { status: 200, body: this.#showToken(token) }
    }
    if (act === 'delete') {
      this.tokens.delete(String(token.card['number']))
      return { status: 204, body: null }
    }
    if (token.state !== 'active') throw new Refusal(422, ['network_token_not_active'])
    const eci = token.number.startsWith('5') ? '6' : '7'
    return { status: 201, body: { cryptogram: randomBytes(20).toString('base64'), eci, _links: {} } }
  }

  /** The ninth to twelfth digit decide. A card that has a token gets that one. */
  #provision({ source }: Json): Json {
    const card = isObject(source) ? source : {}
    if (card['type'] !== 'card') throw new Refusal(404)
    const number = String(card['number'])
    if (!isCardNumber(number)) throw new Refusal(422, ['card_number_invalid'])
    if (!/^(4|5[1-5]|2[2-7])/.test(number)) throw new Refusal(422, ['card_scheme_not_supported'])
    const states: Readonly<Record<string, string>> = {
      '0021': 'declined',
      '0022': 'inactive',
      '0023': 'requested',
    }
    const state = states[number.slice(8, 12)] ?? 'active'
    const made = { card, id: newId('nt'), number: tokenFor(number), state }
    const token = this.tokens.get(number) ?? made
    if (state !== 'declined') this.tokens.set(number, token)
    return this.#showToken(token)
  }

  #showToken({ card, id, number, state }: NetworkToken): Json {
    const isMade = state !== 'declined' && state !== 'requested'
    const at = this.#now().toISOString()
    return {
      card: {
        last4: String(card['number']).slice(-4),
        expiry_month: card['expiry_month'],
        expiry_year: card['expiry_year'],
      },
      network_token: {
        id,
        state,
        ...(isMade && { number, expiry_month: '11', expiry_year: '2038' }),
        type: number.startsWith('5') ? 'mdes' : 'vts',
        payment_account_reference: `500${randomUUID().replaceAll('-', '').slice(0, 26)}`,
        created_on: at,
        modified_on: at,
      },
      token_requestor_id: '1234567890',
      _links: {},
    }
  }

  /** The ninth to twelfth digit of a number decide, so that every answer can be had. */
  #updateCard({ source_options }: Json): Json {
    const { card, instrument } = isObject(source_options) ? source_options : ({} as Json)
    if (isObject(card) === isObject(instrument)) throw new Refusal(422, ['source_options_invalid'])
    if (!isObject(card)) throw new Refusal(404)
    const number = String(card['number'])
    if (!isCardNumber(number)) throw new Refusal(422, ['card_number_invalid'])
    if (!/^(4|5[1-5]|2[2-7]|3[47])/.test(number)) throw new Refusal(422, ['card_scheme_not_supported'])
    const [month, year] = [Number(card['expiry_month']), Number(card['expiry_year'])]
    switch (number.slice(8, 12)) {
      case '0001':
        return {
          account_update_status: 'CARD_UPDATED',
          card: this.#shown(successorOf(number), month, year + 4),
        }
      case '0002':
        return {
          account_update_status: 'CARD_EXPIRY_UPDATED',
          card: this.#shown(number, month, year + 4),
        }
      case '0003':
        return { account_update_status: 'CARD_CLOSED' }
      case '0005':
        return { account_update_status: 'UPDATE_FAILED', account_update_failure_code: 'UNKNOWN' }
      case '0006':
        return {
          account_update_status: 'UPDATE_FAILED',
          account_update_failure_code: 'NON_PARTICIPATING_BIN',
        }
      default:
        return { account_update_status: 'UPDATE_FAILED', account_update_failure_code: 'UP_TO_DATE' }
    }
  }

  #shown(number: string, expiry_month: number, expiry_year: number): Json {
    const key = this.publicKey
    return {
      ...(key !== null && { encrypted_card_number: encrypt(number, key) }),
      bin: number.slice(0, 6),
      last4: number.slice(-4),
      expiry_month,
      expiry_year,
      fingerprint: randomUUID().replaceAll('-', ''),
    }
  }
}

function encrypt(text: string, key: string): string {
  const how = { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }
  return publicEncrypt(how, Buffer.from(text)).toString('base64')
}

/** The same start, then 9999 and a check digit that fits. It has no successor. */
function successorOf(number: string): string {
  return completed(`${number.slice(0, 8)}9999${number.slice(12, -1)}`)
}
