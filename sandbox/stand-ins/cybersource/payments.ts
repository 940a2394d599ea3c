import { check, type Json, textAt } from './check-request.ts'

export type Reply = { readonly status: number; readonly body: Json }
export type Act = 'authorize' | 'capture' | 'reversal' | 'refund'

/** What CyberSource did for a request, as its search names it. */
type Application = { readonly name: string; readonly rCode: '1' | '0' | '-1'; readonly rFlag: string }
type Transaction = {
  readonly id: string
  readonly at: Date
  readonly code: string
  readonly transactionId: string | null
  readonly reasonCode: string
  readonly reason: string | null
  readonly applications: readonly Application[]
  readonly amount: number
  readonly currency: string
  /** What the issuer holds for it, or null. */
  readonly approvedAmount: number | null
}

type Payment = {
  readonly id: string
  readonly code: string
  readonly currency: string
  /** What the issuer holds. */
  held: number
  isReversed: boolean
  isInReview: boolean
  readonly isSale: boolean
  /** Of each capture, by its id, what is left to refund. */
  readonly captures: Map<string, number>
  captured: number
}

export class Payments {
  /** What moved money, or released it. */
  readonly movements: { readonly act: Act; readonly code: string; readonly amount: number }[] = []
  readonly #transactions: Transaction[] = []
  readonly #payments = new Map<string, Payment>()
  readonly #now: () => Date
  /** Until then, the search does not show new requests. */
  isHiding = false
  readonly #hidden = new Set<string>()
  /** The next payment is not answered in time by the processor. */
  isTimingOut = false
  #last = 0

  constructor(now: () => Date) {
    this.#now = now
  }

  /** POST /pts/v2/… `id` is that of the payment or the capture in the path. */
  serve(act: Act, id: string | null, body: Json): Reply {
    const known = this.#repetitionOf(act, body)
    const problem = known ?? check(act, body)
    if (problem) return this.#refuse(act, body, problem)
    if (act === 'authorize') return this.#pay(body)
    const payment = [...this.#payments.values()].find((one) => one.id === id || one.captures.has(id ?? ''))
    if (!payment || id === null) return { status: 404, body: refusal('NOT_FOUND') }
    if (act === 'capture') return this.#capture(payment, body)
    return act === 'reversal' ? this.#reverse(payment, body) : this.#refund(payment, id, body)
  }

  /** An authorization by its `code` for 15 minutes, anything by its `transactionId` for 180 days. */
  #repetitionOf(act: Act, body: Json): { readonly reason: string } | null {
    const [code, transactionId] = referencesIn(body)
    const since = (ms: number) =>
      this.#transactions.filter(({ at }) => this.#now().getTime() - at.getTime() < ms)
    const isDone = ({ reasonCode }: Transaction) => !['101', '102', '104'].includes(reasonCode)
    const isAuthorization = ({ applications }: Transaction) =>
      applications.some(({ name }) => name === 'ics_auth')
    const isSame = (one: Transaction) => one.code === code && isAuthorization(one) && isDone(one)
    if (act === 'authorize' && since(15 * 60_000).some(isSame)) return { reason: 'DUPLICATE_REQUEST' }
    const isUsed =
      transactionId !== null &&
      since(180 * 86_400_000).some((one) => one.transactionId === transactionId && isDone(one))
    return isUsed ? { reason: 'INVALID_DATA' } : null
  }

  #pay(body: Json): Reply {
    const [code] = referencesIn(body)
    const { amount, currency } = moneyIn(body, 'orderInformation')
    const isSale = valueAt(body, 'processingInformation.capture') === true
    if (this.isTimingOut) {
      this.isTimingOut = false
      this.#note({
        body,
        amount,
        currency,
        applications: [app('ics_auth', '-1', 'ETIMEOUT')],
        reasonCode: '151',
        reason: 'PROCESSOR_TIMEOUT',
      })
      return { status: 502, body: { status: 'SERVER_ERROR', reason: 'SERVER_TIMEOUT', message: 'stand-in' } }
    }
    const isPartAllowed =
      valueAt(body, 'processingInformation.authorizationOptions.partialAuthIndicator') === true
    const decision = decide(textAt(body, 'orderInformation.billTo.lastName'), amount, isPartAllowed)
    const { status, reason, held } = decision
    const isCaptured = isSale && status === 'AUTHORIZED'
    const applications = [
      app('ics_auth', isApproved(decision) ? '1' : '0', isApproved(decision) ? 'SOK' : 'DCARDREFUSED'),
      ...(isCaptured ? [app('ics_bill', '1', 'SOK')] : []),
    ]
    const id = this.#note({
      body,
      amount,
      currency,
      applications,
      reasonCode: decision.reasonCode,
      reason,
      held,
    })
    const payment: Payment = {
      ...{
        id,
        code,
        currency,
        held,
        isSale,
        isReversed: false,
        isInReview: reason === 'DECISION_PROFILE_REVIEW',
      },
      captures: new Map(isCaptured ? [[id, held]] : []),
      captured: isCaptured ? held : 0,
    }
    if (held > 0) this.#payments.set(id, payment)
    if (held > 0 && isApproved(decision)) this.movements.push({ act: 'authorize', code, amount: held })
    return {
      status: 201,
      body: { ...this.#head(id, status), ...errorOf(reason), ...details(body, held, { amount, currency }) },
    }
  }

  #capture(payment: Payment, body: Json): Reply {
    const { amount, currency } = moneyIn(body, 'orderInformation')
    if (payment.isReversed) return this.#refuse('capture', body, { reason: 'AUTH_ALREADY_REVERSED' })
    if (currency !== payment.currency || payment.captured + amount > payment.held) {
      return this.#refuse('capture', body, { reason: 'EXCEEDS_AUTH_AMOUNT' })
    }
    const id = this.#note({ body, amount, currency, applications: [app('ics_bill', '1', 'SOK')] })
    payment.captured += amount
    payment.captures.set(id, amount)
    return this.#done('capture', { id, body, amount, status: 'PENDING' })
  }

  #reverse(payment: Payment, body: Json): Reply {
    const { amount, currency } = moneyIn(body, 'reversalInformation')
    if (payment.isReversed) return this.#refuse('reversal', body, { reason: 'AUTH_ALREADY_REVERSED' })
    if (payment.captured > 0) return this.#refuse('reversal', body, { reason: 'TRANSACTION_ALREADY_SETTLED' })
    if (amount !== payment.held || currency !== payment.currency)
      return this.#refuse('reversal', body, { reason: 'INVALID_AMOUNT' })
    payment.isReversed = true
    const id = this.#note({ body, amount, currency, applications: [app('ics_auth_reversal', '1', 'SOK')] })
    return this.#done('reversal', { id, body, amount, status: 'REVERSED' })
  }

  #refund(payment: Payment, captured: string, body: Json): Reply {
    const { amount, currency } = moneyIn(body, 'orderInformation')
    const left = payment.captures.get(captured) ?? 0
    if (currency !== payment.currency || amount > left)
      return this.#refuse('refund', body, { reason: 'INVALID_AMOUNT' })
    payment.captures.set(captured, left - amount)
    const id = this.#note({ body, amount, currency, applications: [app('ics_credit', '1', 'SOK')] })
    return this.#done('refund', { id, body, amount, status: 'PENDING' })
  }

  /** A person decides about a payment in review. What was to be captured at once is captured now, under the same reference. */
  review(id: string, decision: 'accept' | 'reject'): void {
    const payment = this.#payments.get(id)
    if (!payment?.isInReview) return
    payment.isInReview = false
    const { code, currency, held: amount } = payment
    const body = { clientReferenceInformation: { code } }
    if (decision === 'reject') {
      payment.isReversed = true
      this.#note({ body, amount, currency, applications: [app('ics_auth_reversal', '1', 'SOK')] })
    } else if (payment.isSale) {
      const captured = this.#note({ body, amount, currency, applications: [app('ics_bill', '1', 'SOK')] })
      payment.captures.set(captured, amount)
      payment.captured = amount
    }
  }

  /** POST /tss/v2/searches */
  search(body: Json): Reply {
    const [, wanted] = /^clientReferenceInformation[.]code:(\w+)$/.exec(String(body['query'])) ?? []
    if (wanted === undefined) return { status: 400, body: refusal('INVALID_DATA') }
    const found = this.#transactions
      .filter(({ id, code }) => code === wanted && !this.#hidden.has(id))
      .toReversed()
    const transactionSummaries = found.map((one) => {
      const { id, code, amount, currency } = one
      return {
        id,
        submitTimeUtc: one.at.toISOString(),
        applicationInformation: { reasonCode: one.reasonCode, applications: one.applications },
        clientReferenceInformation: { code },
        orderInformation: { amountDetails: { totalAmount: written(amount), currency } },
      }
    })
    const counts = { count: found.length, totalCount: found.length }
    const embedded = found.length > 0 && { _embedded: { transactionSummaries } }
    return { status: 201, body: { ...body, ...counts, ...embedded } }
  }

  /** GET /tss/v2/transactions/{id} */
  show(id: string): Reply {
    const one = this.#transactions.find((any) => any.id === id && !this.#hidden.has(id))
    if (!one) return { status: 404, body: refusal('NOT_FOUND') }
    const { code, amount, currency, reason, reasonCode, applications, approvedAmount } = one
    const isHeld = approvedAmount !== null && approvedAmount > 0
    return {
      status: 200,
      body: {
        id,
        submitTimeUTC: one.at.toISOString(),
        applicationInformation: { reasonCode, applications },
        clientReferenceInformation: { code },
        ...errorOf(reason),
        orderInformation: {
          amountDetails: {
            totalAmount: written(amount),
            currency,
            ...(isHeld && { authorizedAmount: written(approvedAmount) }),
          },
        },
        ...(isHeld && { processorInformation: PROCESSOR }),
      },
    }
  }

  /** What is hidden from the search is shown. */
  reveal(): void {
    this.isHiding = false
    this.#hidden.clear()
  }

  #refuse(
    act: Act,
    body: Json,
    problem: { readonly reason: string; readonly details?: readonly Json[] },
  ): Reply {
    const { reason, details: places } = problem
    const codes: Readonly<Record<string, string>> = {
      MISSING_FIELD: '101',
      INVALID_DATA: '102',
      DUPLICATE_REQUEST: '104',
    }
    const name = {
      authorize: 'ics_auth',
      capture: 'ics_bill',
      reversal: 'ics_auth_reversal',
      refund: 'ics_credit',
    }[act]
    this.#note({
      body,
      amount: 0,
      currency: 'USD',
      applications: [app(name, '0', 'DINVALIDDATA')],
      reasonCode: codes[reason] ?? '102',
      reason,
    })
    return {
      status: 400,
      body: {
        ...refusal(reason),
        submitTimeUtc: this.#now().toISOString(),
        ...(places && { details: places }),
      },
    }
  }

  #done(
    act: Act,
    done: { readonly id: string; readonly body: Json; readonly amount: number; readonly status: string },
  ): Reply {
    const [code] = referencesIn(done.body)
    this.movements.push({ act, code, amount: done.amount })
    return {
      status: 201,
      body: { ...this.#head(done.id, done.status), clientReferenceInformation: { code } },
    }
  }

  #head(id: string, status: string): Json {
    return { id, submitTimeUtc: this.#now().toISOString(), status }
  }

  #note(made: {
    readonly body: Json
    readonly amount: number
    readonly currency: string
    readonly applications: readonly Application[]
    readonly reasonCode?: string
    readonly reason?: string | null
    readonly held?: number
  }): string {
    const { body, amount, currency, applications, reasonCode = '100', reason = null, held = null } = made
    this.#last += 1
    const id = `7${String(this.#now().getTime())}${String(this.#last).padStart(8, '0')}`
    const [code, transactionId] = referencesIn(body)
    this.#transactions.push({
      id,
      at: this.#now(),
      code,
      transactionId,
      reasonCode,
      reason,
      applications,
      amount,
      currency,
      approvedAmount: held,
    })
    if (this.isHiding) this.#hidden.add(id)
    return id
  }
}

type Decision = {
  readonly status: string
  readonly reason: string | null
  readonly reasonCode: string
  /** What the issuer holds. */
  readonly held: number
}

/** The last name decides, by the word for a reason. In the test environment of CyberSource amounts do, for each processor others. */
function decide(name: string | null, amount: number, isPartAllowed: boolean): Decision {
  switch (name) {
    case 'PARTIAL':
      return isPartAllowed
        ? {
            status: 'PARTIAL_AUTHORIZED',
            reason: null,
            reasonCode: '110',
            held: Math.floor(amount / 2_000) * 1_000,
          }
        : { status: 'DECLINED', reason: 'INSUFFICIENT_FUND', reasonCode: '204', held: 0 }
    case 'AVS_FAILED':
    case 'CV_FAILED':
      return {
        status: 'AUTHORIZED_PENDING_REVIEW',
        reason: name,
        reasonCode: name === 'AVS_FAILED' ? '200' : '230',
        held: amount,
      }
    case 'DECISION_PROFILE_REVIEW':
      return { status: 'AUTHORIZED_PENDING_REVIEW', reason: name, reasonCode: '480', held: amount }
    case 'DECISION_PROFILE_REJECT':
      return { status: 'AUTHORIZED_RISK_DECLINED', reason: name, reasonCode: '481', held: amount }
    default:
      return /^[A-Z]+(_[A-Z]+)+$/.test(name ?? '')
        ? { status: 'DECLINED', reason: name, reasonCode: '203', held: 0 }
        : { status: 'AUTHORIZED', reason: null, reasonCode: '100', held: amount }
  }
}

function isApproved({ status, reason }: Decision): boolean {
  return status === 'AUTHORIZED' || status === 'PARTIAL_AUTHORIZED' || reason === 'DECISION_PROFILE_REVIEW'
}

const PROCESSOR: Json = {
  approvalCode: '888888',
  responseCode: '100',
  networkTransactionId: '016153570198200',
  transactionId: '016153570198200',
  paymentAccountReferenceNumber: 'V0010013022298169667504231315',
}

/** The code 999 does not match, and neither does the postcode 00000. */
function details(
  body: Json,
  held: number,
  { amount, currency }: { readonly amount: number; readonly currency: string },
): Json {
  const [code] = referencesIn(body)
  if (held === 0) return { clientReferenceInformation: { code } }
  const cvn = textAt(body, 'paymentInformation.card.securityCode')
  const postcode = textAt(body, 'orderInformation.billTo.postalCode')
  return {
    clientReferenceInformation: { code },
    processorInformation: {
      ...PROCESSOR,
      avs: { code: postcode === null ? 'U' : postcode === '00000' ? 'A' : 'Y' },
      ...(cvn !== null && { cardVerification: { resultCode: cvn === '999' ? 'N' : 'M' } }),
    },
    orderInformation: {
      amountDetails: { totalAmount: written(amount), authorizedAmount: written(held), currency },
    },
  }
}

function errorOf(reason: string | null): Json {
  return reason === null ? {} : { errorInformation: { reason, message: 'The stand-in was told so' } }
}

export function refusal(reason: string): Json {
  return { status: 'INVALID_REQUEST', reason, message: 'The stand-in refuses this' }
}

function app(name: string, rCode: Application['rCode'], rFlag: string): Application {
  return { name, rCode, rFlag }
}

function referencesIn(body: Json): readonly [string, string | null] {
  const code = textAt(body, 'clientReferenceInformation.code') ?? ''
  return [code, textAt(body, 'clientReferenceInformation.transactionId')]
}

/** Counted in thousandths, so that all currencies are alike. */
function moneyIn(body: Json, root: string): { readonly amount: number; readonly currency: string } {
  const [whole = '0', rest = ''] = (textAt(body, `${root}.amountDetails.totalAmount`) ?? '').split('.')
  const currency = textAt(body, `${root}.amountDetails.currency`) ?? ''
  return { amount: Number(`${whole}${rest.padEnd(3, '0')}`), currency }
}

function written(amount: number): string {
  const text = String(amount).padStart(4, '0')
  return `${text.slice(0, -3)}.${text.slice(-3)}`
}

function valueAt(body: Json, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Json | undefined)?.[name], body)
}
