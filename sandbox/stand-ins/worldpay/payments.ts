import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { type Body, valueAt } from './check-request.ts'

/** A request about a payment, with what became of it. */
type Act = {
  readonly kind: 'settlement' | 'refund' | 'cancellation'
  readonly commandId: string
  readonly reference: string
  readonly amount: number
  state: 'requested' | 'submitted' | 'failed'
}

type Event = Readonly<Record<string, unknown>>
type Payment = {
  readonly paymentId: string
  readonly linkData: string
  readonly transactionReference: string
  readonly isSale: boolean
  readonly amount: number
  readonly currency: string
  readonly isApproved: boolean
  readonly acts: Act[]
  readonly events: Event[]
}
type Movement = { readonly kind: string; readonly reference: string; readonly amount: number }
export type Message = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}
type Send = (message: Message) => Promise<number>
export type Reply = { readonly status: number; readonly body: object }

const REASONS: Readonly<Record<string, string>> = {
  '5': 'REFUSED',
  '33': 'CARD EXPIRED',
  '51': 'LIMIT EXCEEDED',
  '75': 'SECURITY CODE INVALID',
}

/** Payments, and what is done with them: Card Payments (v7), Payment Queries (v1) and Events (v1). */
export class Payments {
  readonly movements: Movement[] = []
  readonly waiting: Message[] = []
  /** Where messages are sent, and the secret that signs them. */
  webhook: { readonly url: string; readonly secret: string } | null = null
  readonly #payments = new Map<string, Payment>()
  readonly #now: () => Date
  readonly #send: Send
  #isFailing = false

  constructor(now: () => Date, send: Send) {
    this.#now = now
    this.#send = send
  }

  /** POST /cardPayments/… */
  pay(body: Body): Reply {
    const reference = String(body['transactionReference'])
    // It can be used once, whatever became of the first payment.
    if ([...this.#payments.values()].some((one) => one.transactionReference === reference)) {
      return failure(400, 'transactionReferenceIsADuplicate')
    }
    const isSale = valueAt(body, 'instruction.requestAutoSettlement.enabled') === true
    const refusal = refusalOf(String(valueAt(body, 'instruction.paymentInstrument.cardHolderName') ?? ''))
    const payment: Payment = {
      paymentId: newId('pay'),
      linkData: randomBytes(60).toString('base64url'),
      transactionReference: reference,
      isSale,
      amount: Number(valueAt(body, 'instruction.value.amount')),
      currency: String(valueAt(body, 'instruction.value.currency')),
      isApproved: refusal === null,
      acts: [],
      events: [],
    }
    this.#payments.set(payment.paymentId, payment)
    const kind = isSale ? 'sale' : 'authorization'
    const commandId = newId('cmd')
    this.#note(payment, `${kind}Requested`, { commandId })
    const said = refusal === null ? { outcome: 'authorized' } : { outcome: 'refused', ...reasonOf(refusal) }
    this.#note(payment, `${kind}${refusal === null ? 'Succeeded' : 'Refused'}`, { ...said, commandId })
    const ids = { paymentId: payment.paymentId, commandId }
    if (refusal !== null) {
      const { code: refusalCode, description: refusalDescription } = reasonOf(refusal)
      return { status: 201, body: { outcome: 'refused', ...ids, refusalCode, refusalDescription } }
    }
    this.movements.push({ kind, reference, amount: payment.amount })
    const riskFactors = riskFactorsOf(body)
    return {
      status: 201,
      body: {
        outcome: isSale ? 'sentForSettlement' : 'authorized',
        ...ids,
        ...details(body),
        ...(riskFactors.length > 0 && { riskFactors }),
        _links: linksOf(payment),
      },
    }
  }

  /** POST /payments/… with the last part of an action link. */
  act(kind: Act['kind'], linkData: string, body: Body): Reply {
    const payment = [...this.#payments.values()].find((one) => one.linkData === linkData)
    if (!payment) return failure(404, 'resourceNotFound')
    const reference = String(body['reference'] ?? payment.paymentId)
    if (payment.acts.some((one) => one.kind === kind && one.reference === reference)) {
      return failure(400, 'transactionStageHasAlreadyBeenProcessed')
    }
    const left = leftFor(kind, payment)
    const amount = kind === 'cancellation' ? left : Number(valueAt(body, 'value.amount'))
    const isRight = kind === 'cancellation' || valueAt(body, 'value.currency') === payment.currency
    if (left <= 0 || amount > left || !isRight) return failure(400, 'requestedActionIsNotAllowed')
    const act: Act = { kind, commandId: newId('cmd'), reference, amount, state: 'requested' }
    payment.acts.push(act)
    this.movements.push({ kind, reference, amount })
    const isPartial = kind !== 'cancellation'
    this.#note(payment, `${kind}Requested`, {
      commandId: act.commandId,
      ...(isPartial && {
        type: kind === 'refund' ? 'partialRefund' : 'partialSettlement',
        [`${kind}Reference`]: reference,
        value: { amount, currency: payment.currency },
      }),
    })
    const { paymentId } = payment
    const { commandId } = act
    return { status: 202, body: { paymentId, commandId, _links: linksOf(payment) } }
  }

  /** GET /paymentQueries/payments */
  list(reference: string | null): Reply {
    const found = [...this.#payments.values()].filter((one) => one.transactionReference === reference)
    const payments = found.map((one) => {
      const { events: _events, _links, ...summary } = this.#shown(one)
      return { ...summary, _links: { self: _links.self } }
    })
    return {
      status: 200,
      body: { _links: { self: { href: '/paymentQueries/payments' } }, _embedded: { payments } },
    }
  }

  /** GET /paymentQueries/payments/{paymentId} */
  show(id: string): Reply {
    const payment = this.#payments.get(id)
    return payment ? { status: 200, body: this.#shown(payment) } : failure(404, 'paymentNotFound')
  }

  /** What is requested is carried out, and told. Returns whether it was to fail. */
  finish(): boolean {
    const wasFailing = this.#isFailing
    for (const payment of this.#payments.values()) {
      for (const act of payment.acts.filter(({ state }) => state === 'requested')) {
        act.state = this.#isFailing ? 'failed' : 'submitted'
        const word = this.#isFailing ? 'SubmissionFailed' : 'Submitted'
        this.#note(payment, `${act.kind}Request${word}`, { commandId: act.commandId })
        if (!this.#isFailing) this.#tell(payment, act, SENT[act.kind])
      }
    }
    this.#isFailing = false
    return wasFailing
  }

  /** The next requests that are carried out fail. */
  fail(): void {
    this.#isFailing = true
  }

  /** A refund that was sent comes back. */
  returnRefund(reference: string): void {
    for (const payment of this.#payments.values()) {
      for (const act of payment.acts.filter((one) => one.kind === 'refund' && one.reference === reference)) {
        this.#tell(payment, act, 'refundFailed', {
          refund: { refusal: { code: '5', description: 'Do not honor' } },
        })
      }
    }
  }

  /** What is not taken waits for the next time. */
  async deliver(): Promise<number> {
    for (const message of this.waiting.splice(0)) {
      const status = await this.#send(message).catch(() => 0)
      if (status !== 200) this.waiting.push(message)
    }
    return this.waiting.length
  }

  #shown(payment: Payment) {
    const { paymentId, transactionReference, isSale, amount, currency, events, isApproved } = payment
    const self = { self: { href: `/paymentQueries/payments/${paymentId}` } }
    return {
      timestamp: String(events[0]?.['timestamp']),
      paymentId,
      transactionReference,
      transactionType: 'oneTime',
      authorizationType: isSale ? 'sale' : 'authorization',
      entity: 'default',
      lastEvent: String(events.at(-1)?.['eventName']),
      ...(isApproved && { issuer: ISSUER, scheme: SCHEME }),
      value: { amount, currency },
      events,
      _links: { ...self, ...(isApproved && linksOf(payment)) },
    }
  }

  #note(payment: Payment, eventName: string, more: object): void {
    // Two events of the same moment keep their order.
    const at = this.#now().getTime() + payment.events.length
    payment.events.push({ eventName, timestamp: new Date(at).toISOString(), ...more })
  }

  #tell(payment: Payment, act: Act, type: string, more: object = {}): void {
    const { transactionReference, currency } = payment
    const hasReference = act.kind !== 'cancellation'
    this.post({
      classification: 'payment',
      downstreamReference: '3378792436',
      transactionReference,
      type,
      date: this.#now().toISOString().slice(0, 10),
      ...(hasReference && { reference: act.reference }),
      amount: { value: act.amount, currencyCode: currency },
      ...more,
      _links: { payment: { href: `https://access.worldpay.com/payments/events/${payment.linkData}` } },
    })
  }

  /** A signed message, which waits until messages are sent. */
  post(eventDetails: object): void {
    if (!this.webhook) return
    const message = {
      eventId: randomUUID(),
      eventTimestamp: this.#now().toISOString().replace('Z', ''),
      eventDetails,
    }
    const body = JSON.stringify(message)
    const { url, secret } = this.webhook
    const headers = { 'content-type': EVENTS_MEDIA, 'event-signature': signed(body, secret) }
    this.waiting.push({ url, headers, body })
  }
}

const EVENTS_MEDIA = 'application/vnd.worldpay.events-v1.hal+json'
const SENT = { settlement: 'sentForSettlement', refund: 'sentForRefund', cancellation: 'cancelled' } as const
const ISSUER = { authorizationCode: 'T31306' }
const SCHEME = { reference: 'MCCOLXT1C0104  ' }

/** While secrets change, there are two signatures. */
function signed(body: string, secret: string): string {
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  return `1/SHA256/${'0'.repeat(64)},2/SHA256/${signature}`
}

/** The test environment decides by the name of the holder, as in `REFUSED51`. */
function refusalOf(holder: string): string | null {
  const [, code] = /^REFUSED(\d*)$/.exec(holder) ?? []
  return code === undefined ? null : code || '5'
}

function reasonOf(code: string) {
  return { code, description: REASONS[code] ?? 'REFUSED' }
}

function details(body: Body) {
  const number = String(
    valueAt(body, 'instruction.paymentInstrument.cardNumber') ??
      valueAt(body, 'instruction.paymentInstrument.tokenNumber'),
  )
  const paymentInstrument = {
    type: 'card/plain+masked',
    cardBin: number.slice(0, 6),
    lastFour: number.slice(-4),
    paymentAccountReference: 'Q1HJZ28RKA1EBL470G9XYG90R5D3E',
  }
  return { issuer: ISSUER, scheme: SCHEME, paymentInstrument }
}

/** The test environment names what it does not check by the digits of the code and the postcode. These are ours. */
function riskFactorsOf(body: Body): object[] {
  const code = valueAt(body, 'instruction.paymentInstrument.cvc')
  const postcode = valueAt(body, 'instruction.paymentInstrument.billingAddress.postalCode')
  return [
    ...(code === '999' ? [{ type: 'cvc', risk: 'notMatched' }] : []),
    ...(code === undefined ? [{ type: 'cvc', risk: 'notSupplied' }] : []),
    ...(postcode === '00000' ? [{ type: 'avs', risk: 'notMatched', detail: 'postcode' }] : []),
    ...(postcode === undefined
      ? [
          { type: 'avs', risk: 'notChecked', detail: 'address' },
          { type: 'avs', risk: 'notChecked', detail: 'postcode' },
        ]
      : []),
  ]
}

function leftFor(kind: Act['kind'], { isApproved, isSale, amount, acts }: Payment): number {
  const sum = (of: Act['kind']) =>
    acts.filter((one) => one.kind === of && one.state !== 'failed').reduce((all, one) => all + one.amount, 0)
  if (!isApproved) return 0
  const settled = isSale ? amount : sum('settlement')
  return kind === 'refund' ? settled - sum('refund') : amount - settled - sum('cancellation')
}

function linksOf(payment: Payment) {
  const { linkData } = payment
  const link = (path: string) => ({ href: `https://try.access.worldpay.com/payments/${path}/${linkData}` })
  return {
    ...(leftFor('settlement', payment) > 0 && {
      'cardPayments:cancel': link('authorizations/cancellations'),
      'cardPayments:partialSettle': link('settlements/partials'),
    }),
    ...(leftFor('refund', payment) > 0 && {
      'cardPayments:partialRefund': link('settlements/refunds/partials'),
    }),
    'cardPayments:events': link('events'),
  }
}

export function failure(status: number, errorName: string, more: object = {}): Reply {
  return { status, body: { errorName, message: errorName, ...more } }
}

function newId(prefix: string): string {
  return `${prefix}${randomBytes(16).toString('base64url')}`
}
