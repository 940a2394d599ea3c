import type { ContactField } from '#domain/contact.ts'
import type { OrderStatus } from '#domain/pay-page.ts'
import type { Asked } from '#payments/prepare/prepare.ts'
import type { CreateBuyer } from '#resources/buyers/schemas.ts'
import type { NewCartItem } from '#resources/transactions/wire/order.ts'
import type { TransactionCreate } from '#resources/transactions/wire/transaction.ts'

/**
 * What a buyer pays on the page: a payment link, or a checkout session. The page knows nothing else of them. The buyer
 * chooses how to pay, says what the order lacks of the buyer, and changes nothing of the rest.
 */
export type Bill = {
  readonly kind: 'payment-link' | 'checkout-session'
  readonly id: string
  readonly merchantAccountId: string
  /** Where the page is. */
  readonly url: string
  readonly amount: number
  readonly currency: string
  readonly country: string | null
  readonly cart: readonly NewCartItem[]
  readonly expiresAt: Date
  readonly standing: BillState
  readonly page: PageWishes
  /** What the buyer is asked beside how to pay. */
  readonly asks: readonly ContactField[]
  readonly payment: PaymentTerms
}

/** Whether a page of this origin may show the page in a frame. */
export function isAllowed({ page }: Bill, origin: unknown): origin is string {
  return typeof origin === 'string' && page.allowedOrigins.includes(origin)
}

type BillState = {
  readonly status: OrderStatus
  readonly tries: number
  readonly lastTransactionId: string | null
  /** SHA-256 of the secret of the browser that made the latest payment. */
  readonly lastAttempt: string | null
}

/** What the merchant wishes the page to say and to allow. Null: as in the merchant account. */
export type PageWishes = {
  readonly locale: string | null
  readonly merchantName: string | null
  readonly merchantUrl: string | null
  readonly bannerUrl: string | null
  readonly faviconUrl: string | null
  readonly termsUrl: string | null
  readonly message: string | null
  readonly color: string | null
  readonly returnUrl: string | null
  readonly allowedOrigins: readonly string[]
  /** Whether the browser that has paid gets the whole payment, as after `POST /transactions`. */
  readonly tellsTransaction: boolean
}

export type PaymentTerms = {
  /** The buyer whose stored cards and gift cards the page offers. */
  readonly buyerId: string | null
  /** Whom the order names, and who is not stored yet: made when a card is to be stored. */
  readonly newBuyer: CreateBuyer | null
  readonly store: 'never' | 'ask' | 'always'
  readonly asksCode: boolean
  /** The order as a request, without how it is paid. */
  readonly request: Omit<TransactionCreate, 'payment_method' | 'gift_cards' | 'store'>
  readonly caller: Asked['caller']
  /** What the first commit takes, so that the bill is paid once. */
  readonly claim: (form: Form) => Pick<Asked, 'paymentLink' | 'checkoutPage'>
}

/** The form that the buyer sent: `attempt` is the hash of a secret that only this browser knows. */
type Form = { readonly tries: number; readonly attempt: string }
