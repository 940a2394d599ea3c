import type { Instrument } from '#connectors/contract/orders.ts'
import type { ChosenService } from '../attempts/ask.ts'
import type { NewEvent } from '../events/store.ts'
import type { InstrumentType } from '../wire/transaction.ts'
import type { OpenableSource } from './open-instrument.ts'

/** What one attempt presents to a payment service. The attempt records it before the service is asked. */
export type Presented = {
  /** Null: what the payment itself says, such as the number of a card. */
  readonly token: { readonly type: InstrumentType; readonly id: string } | null
  /** Opens the instrument for as long as `work` takes. */
  readonly open: <Result>(work: (instrument: Instrument) => Promise<Result>) => Promise<Result>
  /** What the payment's history tells about the choice. */
  readonly events: readonly NewEvent[]
}

export type Asked = {
  readonly source: OpenableSource
  readonly chosen: ChosenService
  readonly isMerchantInitiated: boolean
  /** Called before a service is asked for a cryptogram. */
  readonly beforeAsking?: () => Promise<void>
}

/** The instrument is not there for the payment. */
export type NotThere = Pick<Presented, 'events'> & { readonly open?: undefined }
