import { randomBytes, randomUUID } from 'node:crypto'
import { isCardNumber, tokenFor } from '../card-numbers.ts'
import { type Body, valueAt } from './check-request.ts'
import { failure, type Reply } from './payments.ts'

type Token = {
  readonly reference: string
  readonly card: string
  readonly expiry: unknown
  readonly number: string
  /** Mastercard may need minutes: then the number is there when it is asked for. */
  isReady: boolean
  isDeleted: boolean
}

/** Network tokens of the Tokens API (v3). The ninth to twelfth digit of the card decide. */
export class Tokens {
  readonly made: Token[] = []

  /** POST /tokens/network */
  provision(body: Body): Reply {
    const card = String(valueAt(body, 'paymentInstrument.cardNumber'))
    if (!isCardNumber(card)) {
      const jsonPath = '$.paymentInstrument.cardNumber'
      const validationErrors = [{ errorName: 'panFailedLuhnCheck', jsonPath, message: 'It is not valid' }]
      return failure(400, 'bodyDoesNotMatchSchema', { validationErrors })
    }
    const digits = card.slice(8, 12)
    const reference = randomUUID()
    const expiry = valueAt(body, 'paymentInstrument.cardExpiryDate')
    const shown = { tokenReference: reference, paymentInstrument: masked(card, expiry), _links: {} }
    if (digits === '0021') return { status: 200, body: { ...shown, provisioningErrors: [REFUSED] } }
    const token: Token = {
      reference,
      card,
      expiry,
      number: tokenFor(`${card}${this.made.length}`),
      isReady: digits !== '0023',
      isDeleted: false,
    }
    this.made.push(token)
    return {
      status: 200,
      body: { ...shown, ...(token.isReady && { tokenPaymentInstrument: numbered(token) }) },
    }
  }

  /** GET /tokens/network/{id}: by the reference. */
  show(reference: string): Reply {
    const token = this.made.find((one) => one.reference === reference)
    if (!token) return failure(404, 'resourceNotFound')
    token.isReady = true
    const paymentInstrument = masked(token.card, token.expiry)
    return { status: 200, body: { tokenPaymentInstrument: numbered(token), paymentInstrument, _links: {} } }
  }

  /** DELETE /tokens/network/{id}: by the number. */
  remove(number: string): Reply | null {
    const token = this.#live(number)
    if (!token) return failure(404, 'networkProviderError')
    token.isDeleted = true
    return null
  }

  /** POST /tokens/network/cryptograms */
  prove(body: Body): Reply {
    const token = this.#live(String(body['tokenNumber']))
    if (!token) return failure(404, 'networkProviderError')
    const eci = token.number.startsWith('5') ? '02' : '07'
    const cryptogramDetails = { cryptogram: randomBytes(20).toString('base64'), eci }
    return { status: 200, body: { cryptogramDetails, _links: {} } }
  }

  #live(number: string): Token | undefined {
    return this.made.find((one) => one.number === number && !one.isDeleted)
  }
}

const REFUSED = {
  errorCode: '301',
  providerErrorCode: '403',
  source: 'Token service',
  context: 'Provision',
  message: 'The issuer gives no token for this card',
}

function masked(card: string, cardExpiryDate: unknown): object {
  return {
    type: 'card/masked',
    firstSix: card.slice(0, 6),
    lastFour: card.slice(-4),
    cardExpiryDate,
    paymentAccountReference: `V001${tokenFor(card)}`.padEnd(29, '0'),
  }
}

function numbered({ number }: Token): object {
  return {
    status: 'Active',
    type: 'card/networkToken',
    tokenNumber: number,
    expiryDate: { month: 11, year: 2038 },
  }
}
