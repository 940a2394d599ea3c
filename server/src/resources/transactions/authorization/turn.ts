import type { SyncAnswer } from '#connectors/contract/connector.ts'
import type { ThreeDSecureResult } from '#connectors/contract/orders.ts'
import type { PaymentAttempt } from '#processing/attempts/store.ts'
import type { ChosenService } from '../attempts/ask.ts'
import type { NewEvent } from '../events/store.ts'
import type { StoredTransaction } from '../store.ts'
import type { InstrumentType } from '../wire/transaction.ts'
import type { OpenableSource } from './open-instrument.ts'
import type { Presented } from './presented.ts'

export type Authorization = {
  readonly transaction: StoredTransaction
  readonly attempt: PaymentAttempt
  /** The service that the attempt is for, then the services to try next. */
  readonly chosen: readonly [ChosenService, ...ChosenService[]]
  readonly source: OpenableSource
  /** What the attempt presents. */
  readonly presented: Presented
  readonly threeDSecure: ThreeDSecureResult | null
  /** The service that the merchant named. */
  readonly paymentServiceId: string | null
  readonly isPartialAllowed: boolean
  readonly isAsyncCapture: boolean
  readonly connectionOptions: Readonly<Record<string, unknown>>
}

/** One attempt of a payment, and what is left to try after it. */
export type Turn = Pick<Authorization, 'transaction' | 'attempt' | 'presented'> & {
  readonly chosen: ChosenService
  readonly waiting: readonly ChosenService[]
  readonly threeDSecure: ThreeDSecureResult | 'provider' | null
  /** Instruments that the service has refused. */
  readonly besides: readonly InstrumentType[]
  /** Whether the issuer has replaced the card since the payment began. */
  readonly wasReplaced: boolean
  /** How often the service was asked. */
  readonly times: number
}

export type Answered = {
  readonly transaction: StoredTransaction
  readonly attempt: PaymentAttempt
  readonly answer: SyncAnswer
  /** The service that answered. */
  readonly service: ChosenService['service']
  /** Why services were not asked. */
  readonly events: readonly NewEvent[]
}
