import { randomBytes } from 'node:crypto'
import { type Body, valueAt } from './check-request.ts'
import { failure, type Payments, type Reply } from './payments.ts'

type Payout = {
  readonly reference: string
  readonly resource: string
  readonly receivedAt: string
  readonly amount: { readonly value: number; readonly currencyCode: string }
  outcome: string
  refusalCode?: string
}

/** The name of the holder decides. Only `REFUSED51` and the like are Worldpay's own. */
const BY_NAME: ReadonlyMap<string, string> = new Map([
  ['PENDING', 'pending'],
  ['REVIEW', 'inReview'],
  ['STANDARD', 'requestReceived'],
  ['ERROR', 'error'],
])

/** Of payouts for which the decision about them comes later. */
const OPEN: readonly string[] = ['pending', 'inReview']
const SENT: readonly string[] = ['approved', 'requestReceived']

/** Payouts to cards: Card Payouts (v4). They share books and messages with payments. */
export class Payouts {
  readonly #made = new Map<string, Payout>()
  readonly #payments: Payments
  readonly #now: () => Date

  constructor(payments: Payments, now: () => Date) {
    this.#payments = payments
    this.#now = now
  }

  /** POST /payouts/fastAccess */
  pay(body: Body): Reply {
    const reference = String(body['transactionReference'])
    // Worldpay does not say what it does with a reference that comes again.
    if (this.#made.has(reference)) return failure(400, 'transactionReferenceIsADuplicate')
    const holder = String(valueAt(body, 'instruction.payoutInstrument.cardHolderName') ?? '')
    const [, refusal] = /^REFUSED(\d*)$/.exec(holder) ?? []
    const payout: Payout = {
      reference,
      resource: randomBytes(60).toString('base64url'),
      receivedAt: this.#now().toISOString(),
      amount: {
        value: Number(valueAt(body, 'instruction.value.amount')),
        currencyCode: String(valueAt(body, 'instruction.value.currency')),
      },
      outcome: refusal === undefined ? (BY_NAME.get(holder) ?? 'approved') : 'refused',
      ...(refusal && { refusalCode: refusal }),
    }
    this.#made.set(reference, payout)
    this.#book(payout)
    return holder === 'UNSURE' ? failure(500, 'checkOutcome') : { status: 201, body: shown(payout) }
  }

  /** GET /payouts/query */
  find(query: URLSearchParams, entity: string): Reply {
    const missing = ['transactionReference', 'entity'].filter((name) => !query.get(name))
    if (missing.length > 0) {
      const validationErrors = missing.map((queryParameter) => ({
        errorName: 'fieldIsMissing',
        message: 'It is missing',
        queryParameter,
      }))
      return failure(400, 'queryParametersDoNotMatchSchema', { validationErrors })
    }
    if (query.get('entity') !== entity) return notEnabled()
    const payout = this.#made.get(query.get('transactionReference') ?? '')
    return payout ? { status: 200, body: shown(payout) } : failure(404, 'resourceNotFound')
  }

  /** The schemes decide about what is open, and messages tell. */
  finish(isFailing: boolean): void {
    for (const payout of this.#made.values()) {
      if (!OPEN.includes(payout.outcome)) continue
      payout.outcome = isFailing ? 'refused' : 'approved'
      this.#book(payout)
      this.#payments.post({
        classification: 'payout',
        transactionReference: payout.reference,
        type: payout.outcome,
        date: this.#now().toISOString().slice(0, 10),
        amount: payout.amount,
      })
    }
  }

  #book({ reference, amount, outcome }: Payout): void {
    if (!SENT.includes(outcome)) return
    this.#payments.movements.push({ kind: 'payout', reference, amount: amount.value })
  }
}

export function notEnabled(): Reply {
  return failure(422, 'fieldHasInvalidValue', { jsonPath: '$.merchant.entity' })
}

function shown({ outcome, refusalCode, receivedAt, resource }: Payout): Body {
  const hasScheme = outcome === 'approved' || outcome === 'refused'
  return {
    outcome,
    ...(refusalCode && { refusalCode }),
    receivedAt,
    ...(hasScheme && { scheme: { name: 'visa', reference: '400200004000001' } }),
    _links: { 'payouts:payout': { href: `https://try.access.worldpay.com/payouts/${resource}` } },
  }
}
