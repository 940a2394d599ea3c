import type { CardScheme } from '#domain/card-scheme.ts'
import { REDIRECT_METHODS } from '#domain/payment-method.ts'
import { requestComplaints } from '#payments/prepare/check-request.ts'
import { type ErrorDetail, errors, inBody } from '#platform/http/errors.ts'
import { Strict } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { EmailAddress } from '#resources/auth/schemas.ts'
import { BrowserInfo } from '#resources/transactions/wire/order.ts'
import type { TransactionCreate } from '#resources/transactions/wire/transaction.ts'
import { type Bill, isAllowed } from './bill.ts'
import { ContactForm, contactComplaints } from './contact.ts'

/** What the page sends to pay. How `payment_method` looks depends on its kind: see `read-form.ts`. */
export const PayForm = Strict(
  {
    tries: Type.Integer({ minimum: 0 }),
    attempt: Type.String({ minLength: 20, maxLength: 100 }),
    /** What the page shows. If the order says otherwise by then, nothing is charged. */
    amount: Type.Integer({ minimum: 0 }),
    currency: Type.String({ minLength: 3, maxLength: 3 }),
    /** The origin of the shop whose page shows ours in a frame. */
    embed: Type.Optional(Type.String({ maxLength: 300 })),
    payment_method: Type.Optional(Type.Unsafe<Record<string, unknown>>({ type: 'object' })),
    gift_cards: Type.Optional(
      Type.Array(Type.Unsafe<Record<string, unknown>>({ type: 'object' }), { maxItems: 10 }),
    ),
    save: Type.Optional(Type.Boolean()),
    contact: Type.Optional(ContactForm),
    browser_info: Type.Optional(BrowserInfo),
    anti_fraud_fingerprint: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
  },
  { title: 'PayForm' },
)
export type PayForm = Static<typeof PayForm>

export const GiftCardForm = Strict(
  {
    number: Type.String({ minLength: 1, maxLength: 30 }),
    pin: Type.String({ minLength: 1, maxLength: 100 }),
  },
  { title: 'GiftCardForm' },
)
export type GiftCardForm = Static<typeof GiftCardForm>

/** By what the browser shows that the payment, which its buyer does not want to approve, is its own. */
export const CancelForm = Strict(
  {
    attempt: Type.Optional(PayForm.properties.attempt),
    transaction_id: Type.Optional(Type.String({ maxLength: 100 })),
  },
  { title: 'CancelForm' },
)

/** Where the receipt of a payment goes, and by what the browser shows that the payment is its own. */
export const ReceiptForm = Strict(
  { ...CancelForm.properties, email_address: EmailAddress },
  { title: 'ReceiptForm' },
)

export const AppleForm = Strict({ validation_url: Type.String({ maxLength: 2048 }) }, { title: 'AppleForm' })
export type AppleForm = Static<typeof AppleForm>

/** What a buyer may say of each method. Where to return, and for whom to store, is not the buyer's to say. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  card: ['number', 'expiration_date', 'security_code', 'scheme'],
  id: ['id', 'security_code'],
  applepay: ['token', 'cardholder_name', 'card_suffix', 'card_scheme', 'card_type'],
  googlepay: ['token', 'cardholder_name', 'card_suffix', 'card_scheme', 'card_type'],
}
const REDIRECTS: ReadonlySet<string> = new Set(REDIRECT_METHODS)

/** The request that pays the bill as the form says. Throws what is wrong with it, by the fields of the form. */
export function readForm(bill: Bill, form: PayForm, now: Date): TransactionCreate {
  const { payment } = bill
  const method = form.payment_method && methodOf(bill, form, form.payment_method)
  const request = {
    ...payment.request,
    ...(method && { payment_method: method }),
    ...(form.gift_cards?.length && { gift_cards: form.gift_cards }),
    ...(form.browser_info && { browser_info: form.browser_info }),
    ...(form.anti_fraud_fingerprint && { anti_fraud_fingerprint: form.anti_fraud_fingerprint }),
    store: isStored(bill, form),
  } as TransactionCreate
  const about = { caller: payment.caller, now, isRight: () => true }
  const complaints = [
    ...otherFields(form.payment_method),
    ...storedComplaints(bill, form),
    ...codeComplaints(bill, form),
    ...contactComplaints(bill.asks, form.contact),
    ...requestComplaints(request, about),
  ]
  if (complaints.length > 0) throw errors.invalid(...complaints)
  return request
}

function kindOf(given: PayForm['payment_method']): string {
  return String(given?.['method'] ?? '')
}

/** Whether the card of the form is to be stored. */
export function isStored({ payment: { store } }: Bill, { payment_method, save }: PayForm): boolean {
  return kindOf(payment_method) === 'card' && (store === 'always' || (store === 'ask' && save === true))
}

/** The scheme that the buyer chose, of a card that carries several. It is checked when the card is looked up. */
export function chosenScheme({ payment_method: given }: PayForm): { chosenScheme?: CardScheme } {
  const scheme = given?.['scheme']
  return typeof scheme === 'string' ? { chosenScheme: scheme as CardScheme } : {}
}

function methodOf(
  bill: Bill,
  form: PayForm,
  { scheme: _chosen, ...given }: NonNullable<PayForm['payment_method']>,
): object {
  const { currency, country, payment } = bill
  const place = REDIRECTS.has(kindOf(given)) ? { currency, country } : {}
  const keeper = isStored(bill, form) && payment.buyerId !== null ? { buyer_id: payment.buyerId } : {}
  return { ...given, ...place, ...keeper, redirect_url: returnUrl(bill, form) }
}

/** Our page leads on to the shop. In a frame of the shop, the buyer returns to the shop at once, which shows our page there. */
function returnUrl(bill: Bill, { embed }: PayForm): string {
  return (isAllowed(bill, embed) ? bill.page.returnUrl : null) ?? bill.url
}

function otherFields(given: PayForm['payment_method']): ErrorDetail[] {
  if (!given) return []
  const kind = kindOf(given)
  const allowed = Object.hasOwn(FIELDS, kind) ? FIELDS[kind] : REDIRECTS.has(kind) ? ['fields'] : undefined
  if (!allowed) {
    return [inBody('/payment_method/method', 'type_error.enum', 'is not offered on this page')]
  }
  return Object.keys(given)
    .filter((name) => name !== 'method' && !allowed.includes(name))
    .map((name) => inBody(`/payment_method/${name}`, 'value_error.extra', 'unknown field; remove it'))
}

/** Without a buyer whose things they are, the page takes nothing that is stored: an id alone would be enough to pay with it. */
function storedComplaints(
  { payment }: Bill,
  { payment_method: given, gift_cards = [] }: PayForm,
): ErrorDetail[] {
  if (payment.buyerId !== null) return []
  const refuse = (pointer: string) =>
    inBody(pointer, 'value_error.not_found', 'nothing that is stored can pay here: enter its number')
  return [
    ...(kindOf(given) === 'id' ? [refuse('/payment_method/id')] : []),
    ...gift_cards.flatMap((card, at) => (Object.hasOwn(card, 'id') ? [refuse(`/gift_cards/${at}/id`)] : [])),
  ]
}

/** A typed card always needs its code, a stored one if the merchant says so. */
function codeComplaints({ payment }: Bill, { payment_method: given }: PayForm): ErrorDetail[] {
  const kind = kindOf(given)
  const isNeeded = kind === 'card' || (kind === 'id' && payment.asksCode)
  if (!isNeeded || given?.['security_code']) return []
  return [inBody('/payment_method/security_code', 'value_error.missing', 'field required')]
}
