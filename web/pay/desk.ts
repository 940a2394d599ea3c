import type { Locale } from '../../server/src/domain/locale.ts'
import type { OrderFacts } from '../../server/src/domain/pay-page.ts'
import type { Frame } from './framed.ts'
import type { ContactWords, Words } from './words.ts'

type ContactPart = { readonly words: ContactWords; readonly part: typeof import('./contact.tsx') }

/** What every part of the page needs. */
export type Desk = {
  readonly order: OrderFacts
  readonly words: Words
  readonly locale: Locale
  readonly sendsReceipts: boolean
  readonly money: (amount: number | string) => string
  /** Undefined: the page has a window of its own. */
  readonly frame: Frame | undefined
  /** Loaded only if something is asked for. */
  readonly contact: ContactPart | undefined
}
