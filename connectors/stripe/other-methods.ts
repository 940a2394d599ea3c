import { type BankAccount, readBankAccount } from '#connectors/contract/bank-account.ts'
import { isBuyerField } from '#connectors/contract/buyer-fields.ts'
import type { AuthorizeAnswer, Link } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { billingDetails } from './buyer-details.ts'
import { toStripeAmount } from './currency.ts'
import { readIntent, toAuthorizeAnswer } from './intent.ts'
import { ASKED, type Asked, brazilianTaxId, type Entered, lackingIn, type MethodRow } from './methods.ts'
import { paymentForm } from './payment.ts'
import { send, toRefusal } from './wire.ts'

type Authorize = (order: AuthorizeOrder, link: Link) => Promise<AuthorizeAnswer>

/** The buyer approves on a page or in an app, scans a code, or pays elsewhere with a number. */
export function payByRow(row: MethodRow): Authorize {
  return (order, link) => {
    if (order.redirectUrl === null) return Promise.resolve(missing('redirect_url'))
    const lacking = lackingIn(order, row.asks)
    if (lacking === 'country' || lacking === 'address' || lacking === 'brazilianAddress') {
      return Promise.resolve(refused('missing_billing_address', { rawDescription: needs(ASKED[lacking]) }))
    }
    if (lacking !== null) return Promise.resolve(missing(ASKED[lacking]))
    const entered = enteredIn(order, row)
    if (!entered) {
      const [field] = Object.keys(row.fields ?? {})
      return Promise.resolve(missing(`payment_method.fields.${field}`))
    }
    return pay(order, formByRow(row, order, entered), link)
  }
}

/** What the buyer has entered, where Stripe has it. Null: it is missing. A row asks for one thing at most. */
export function enteredIn({ instrument }: AuthorizeOrder, { fields = {} }: MethodRow): Entered | null {
  const [name, place] = Object.entries(fields)[0] ?? []
  if (name === undefined || place === undefined) return {}
  const given = instrument.kind === 'redirect' && isBuyerField(name) ? instrument.fields?.[name] : undefined
  return given?.use((value) => place(String(value))) ?? null
}

export function formByRow({ type, settings }: MethodRow, order: AuthorizeOrder, entered: Entered = {}) {
  return {
    allowed_payment_method_types: [type],
    payment_method_data: {
      type,
      billing_details: billingDetails(order.billing),
      ...(type === 'boleto' && { boleto: { tax_id: brazilianTaxId(order.billing) ?? '' } }),
      ...entered.data,
    },
    ...((settings ?? entered.options) && { payment_method_options: { ...settings, ...entered.options } }),
    return_url: order.redirectUrl ?? undefined,
  }
}

/** Takes money from a bank account, which the buyer has agreed to. It takes days until the bank has decided. */
export const debitBySepa: Authorize = (order, link) => {
  const account = readBankAccount(order.instrument)
  if (!account?.holder) return Promise.resolve(refused('invalid_payment_method'))
  if (!order.billing?.email_address) return Promise.resolve(missing(ASKED.email))
  return pay(order, sepaForm(order, account), link)
}

/** The same in the United Kingdom. The scheme wants to know where the holder lives. */
export const debitByBacs: Authorize = (order, link) => {
  const account = readBankAccount(order.instrument)
  if (!account?.holder || account.routing === null) return Promise.resolve(refused('invalid_payment_method'))
  const lacking = lackingIn(order, BACS_ASKS)
  if (lacking === 'address')
    return Promise.resolve(refused('missing_billing_address', { rawDescription: needs(ASKED[lacking]) }))
  if (lacking !== null) return Promise.resolve(missing(ASKED[lacking]))
  return pay(order, bacsForm(order, account), link)
}

export const BACS_ASKS: readonly Asked[] = ['email', 'address']

/** The buyer proves first that the account is theirs, on a page of Stripe. */
export const debitByAch: Authorize = (order, link) => {
  const account = readBankAccount(order.instrument)
  if (!account?.holder || account.routing === null) return Promise.resolve(refused('invalid_payment_method'))
  return pay(order, achForm(order, account), link)
}

export function sepaForm(order: AuthorizeOrder, { number, holder }: BankAccount) {
  return {
    allowed_payment_method_types: ['sepa_debit' as const],
    payment_method_data: {
      type: 'sepa_debit' as const,
      sepa_debit: { iban: number },
      billing_details: { ...billingDetails(order.billing), name: holder?.name },
    },
    setup_future_usage: usageOf(order),
    mandate_data: mandateOf(order),
  }
}

export function bacsForm(order: AuthorizeOrder, { number, routing, holder }: BankAccount) {
  return {
    allowed_payment_method_types: ['bacs_debit' as const],
    payment_method_data: {
      type: 'bacs_debit' as const,
      bacs_debit: { account_number: number, sort_code: routing ?? undefined },
      billing_details: { ...billingDetails(order.billing), name: holder?.name },
    },
    setup_future_usage: usageOf(order),
    mandate_data: mandateOf(order),
  }
}

export function achForm(order: AuthorizeOrder, account: BankAccount) {
  return {
    allowed_payment_method_types: ['us_bank_account' as const],
    payment_method_data: {
      type: 'us_bank_account' as const,
      us_bank_account: {
        account_number: account.number,
        routing_number: account.routing ?? undefined,
        account_holder_type: account.holder?.isCompany ? ('company' as const) : ('individual' as const),
        account_type: account.type === 'savings' ? ('savings' as const) : ('checking' as const),
      },
      billing_details: { ...billingDetails(order.billing), name: account.holder?.name },
    },
    payment_method_options: { us_bank_account: { verification_method: 'microdeposits' as const } },
    setup_future_usage: usageOf(order),
    mandate_data: mandateOf(order),
  }
}

/**
 * The merchant has shown the mandate. Where the buyer's browser is known, it is the proof. Later payments with a stored
 * account rest on what the buyer permitted then.
 */
function mandateOf(order: AuthorizeOrder) {
  const { buyer, details, isSubsequentPayment, isMerchantInitiated } = order
  const given = { accepted_at: signedAt(order) }
  const { ipAddress } = buyer
  const agent = details.browser_info?.user_agent
  const isEarlier = isSubsequentPayment || isMerchantInitiated
  if (isEarlier || ipAddress === null || agent === undefined) {
    return { customer_acceptance: { ...given, type: 'offline' as const } }
  }
  return {
    customer_acceptance: {
      ...given,
      type: 'online' as const,
      online: { ip_address: ipAddress, user_agent: agent },
    },
  }
}

/** In Stripe's seconds. Left out, Stripe takes the time of the payment. */
function signedAt({ instrument }: AuthorizeOrder): number | undefined {
  const mandate = instrument.kind === 'bank' ? instrument.mandate : null
  return mandate ? Math.floor(Date.parse(mandate.signedAt) / 1_000) : undefined
}

/** A stored account is debited again, so its mandate must allow more than one payment. */
function usageOf({ instrument }: AuthorizeOrder) {
  const isStored = instrument.kind === 'bank' && instrument.mandate !== null
  return isStored ? ('off_session' as const) : undefined
}

async function pay(order: AuthorizeOrder, form: object, link: Link): Promise<AuthorizeAnswer> {
  const { attemptId, currency } = order
  const amount = toStripeAmount(order.amount, currency)
  if (amount === null || amount === 0) return refused('invalid_amount')
  const reply = await send(link, {
    method: 'POST',
    path: '/v1/payment_intents',
    form: { ...paymentForm(order, amount, link.options), ...form },
    key: attemptId,
  })
  if (reply.kind !== 'object') return toRefusal(reply)
  return toAuthorizeAnswer(readIntent(reply.body, { attemptId, amount, currency }), link.now())
}

function missing(what: string): AuthorizeAnswer {
  return refused('invalid_request_parameters', { rawDescription: needs(what) })
}

function needs(what: string): string {
  return `Stripe needs ${what} for this method`
}
