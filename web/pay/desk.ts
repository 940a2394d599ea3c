import type { Locale } from '../../server/src/domain/locale.ts'
import type { OrderFacts } from '../../server/src/domain/pay-page.ts'
import type { Frame } from './framed.ts'
import type { Words } from './words.ts'

/** What every part of the page needs. */
export type Desk = {
  readonly order: OrderFacts
  readonly words: Words
  readonly locale: Locale
  readonly sendsReceipts: boolean
  readonly money: (amount: number | string) => string
  /** Undefined: the page has a window of its own. */
  readonly frame: Frame | undefined
}
