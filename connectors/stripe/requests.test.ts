import type Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import type { BankAccount } from '#connectors/contract/bank-account.ts'
import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import { authorizeOrder, captureOrder, refundOrder } from '#connectors/contract/samples.ts'
import { secret } from '#connectors/contract/secret.ts'
import { evidenceForm, FILE_FORM } from './answer-dispute.ts'
import { cardPaymentForm, methodForm, setupForm } from './card.ts'
import { captureForm, incrementForm, refundForm, releaseForm } from './follow-ups.ts'
import { METHODS, type MethodRow } from './methods.ts'
import { achForm, bacsForm, enteredIn, formByRow, sepaForm } from './other-methods.ts'
import { paymentForm } from './payment.ts'
import { endpointForm } from './register.ts'
import { closingForm } from './sync.ts'

/** What is on the wire of a form: null and undefined are left out. */
type Sent<Form> = Form extends readonly (infer Item)[]
  ? Sent<Item>[]
  : Form extends object
    ? { [Name in Always<Form>]: Sent<Form[Name]> } & {
        [Name in Exclude<keyof Form, Always<Form>>]?: Sent<NonNullable<Form[Name]>>
      }
    : Form
type Always<Form> = {
  [Name in keyof Form]-?: null extends Form[Name] ? never : undefined extends Form[Name] ? never : Name
}[keyof Form]

/** Names in a form that the official parameters do not have, at any depth. */
type Strays<Form, Official> = Form extends readonly unknown[]
  ? never
  : Form extends object
    ? {
        [Name in keyof Form & string]: Name extends keyof Official
          ? Strays<NonNullable<Form[Name]>, Extract<NonNullable<Official[Name]>, object>>
          : Name
      }[keyof Form & string]
    : never

/** Whether the official parameters accept a form, and have all of its names. */
type IsOfficial<Form, Official> =
  Sent<Form> extends Official ? ([Strays<Form, Official>] extends [never] ? true : false) : false

/** Compiles only for such a form. */
function official<Official>() {
  return <Form>(form: Form & (IsOfficial<Form, Official> extends true ? unknown : never)): Form => form
}

const LINK = { options: {}, fields: { flexible_captures: 'true' } }
const RESULT = {
  version: '2.2.0',
  eci: '5',
  cavv: 'AAABBBCCC=',
  directoryTransactionId: '5f5d08ba-3ab1-4a3c-9b1a-5f3a3b9c1d1e',
  directoryResponse: 'Y',
  authenticationResponse: 'Y',
  xid: null,
  cavvAlgorithm: null,
}

// The compiler compares each form with the official parameters: a name or a type that Stripe does not have does not
// compile. The tests compare the values.
const FORMS = {
  card: (order: AuthorizeOrder) =>
    official<Stripe.PaymentIntentCreateParams>()(
      cardPaymentForm(order, { amount: 1299, method: 'pm_1' }, LINK),
    ),
  method: (order: AuthorizeOrder) => official<Stripe.PaymentMethodCreateParams>()(present(methodForm(order))),
  closing: (attemptId: string) => official<Stripe.SetupIntentCreateParams>()(closingForm(attemptId)),
  setup: (order: AuthorizeOrder) => official<Stripe.SetupIntentCreateParams>()(setupForm(order, 'pm_1')),
  ideal: (order: AuthorizeOrder) =>
    official<Stripe.PaymentIntentCreateParams>()({
      ...paymentForm(order, 1299, {}),
      ...formByRow(METHODS.find(({ method }) => method === 'ideal') as MethodRow, order),
    }),
  sepa: (order: AuthorizeOrder) =>
    official<Stripe.PaymentIntentCreateParams>()({
      ...paymentForm(order, 1299, {}),
      ...sepaForm(order, ACCOUNT),
    }),
  bacs: (order: AuthorizeOrder) =>
    official<Stripe.PaymentIntentCreateParams>()({
      ...paymentForm(order, 1299, {}),
      ...bacsForm(order, ACCOUNT),
    }),
  entered: (order: AuthorizeOrder, method: 'blik' | 'payto') => {
    const row = METHODS.find((one) => one.method === method) as MethodRow
    return official<Stripe.PaymentIntentCreateParams>()({
      ...paymentForm(order, 1299, {}),
      ...formByRow(row, order, enteredIn(order, row) ?? {}),
    })
  },
  ach: (order: AuthorizeOrder) =>
    official<Stripe.PaymentIntentCreateParams>()({
      ...paymentForm(order, 1299, {}),
      ...achForm(order, ACCOUNT),
    }),
  capture: () =>
    official<Stripe.PaymentIntentCaptureParams>()(
      captureForm(captureOrder(AUTHORIZED, { isFinal: false }), 500),
    ),
  refund: () => official<Stripe.RefundCreateParams>()(refundForm(refundOrder(AUTHORIZED), 500)),
  increment: (attemptId: string) =>
    official<Stripe.PaymentIntentIncrementAuthorizationParams>()(incrementForm({ attemptId }, 500)),
  release: () => [
    official<Stripe.PaymentIntentCancelParams>()(releaseForm('requested_by_customer')),
    official<Stripe.SetupIntentCancelParams>()(releaseForm('abandoned')),
  ],
  evidence: (attemptId: string) =>
    official<Stripe.DisputeUpdateParams>()(evidenceForm({ receipt: 'file_1' }, attemptId)),
  file: () => official<Omit<Stripe.FileCreateParams, 'file'>>()(FILE_FORM),
  endpoint: (url: string) => official<Stripe.WebhookEndpointCreateParams>()(endpointForm(url)),
}
/** A form that is there. */
function present<Form>(form: Form | null): Form {
  if (form === null) throw new Error('there is no form')
  return form
}
const ACCOUNT: BankAccount = {
  scheme: 'ach',
  number: '1',
  routing: '110000000',
  type: 'checking',
  holder: { name: 'Ada', isCompany: false },
}
const AUTHORIZED = { order: authorizeOrder(), reference: 'pi_1' }

test('a form that Stripe would refuse does not compile', () => {
  type Money = { amount: number; currency: string }
  type Options = { payment_method_options: { card: { three_d_secur: { version: string } } } }
  type RawCard = { payment_method_data: { type: 'card'; card: { number: string } } }
  type Fits<Form> = IsOfficial<Form, Stripe.PaymentIntentCreateParams>

  // The compiler accepts no other value for any of them.
  const right: Fits<Money> = true
  const misspelt: Fits<Money & Options> = false
  const mistyped: Fits<{ amount: string; currency: string }> = false
  const incomplete: Fits<{ amount: number }> = false
  const rawCard: Fits<Money & RawCard> = false

  expect([right, misspelt, mistyped, incomplete, rawCard]).toEqual([true, false, false, false, false])
})

test('Stripe documents no way to bring a network token, a cryptogram, or the id of an earlier payment', () => {
  type Money = { amount: number; currency: string }
  type Token = { number: string; exp_month: number; exp_year: number; tokenization_method: string }
  type Options<Card> = Money & { payment_method_options: { card: Card } }
  type Fits<Form> = IsOfficial<Form, Stripe.PaymentIntentCreateParams>

  // Once one of them compiles with `true`, Stripe has published it, and the connector can send it.
  const token: Fits<Money & { payment_method_data: { type: 'card'; card: { network_token: Token } } }> = false
  const cryptogram: Fits<Options<{ network_token: { cryptogram: string } }>> = false
  const earlier: Fits<Options<{ mit_exemption: { network_transaction_id: string } }>> = false
  const apple: IsOfficial<{ pk_token: string }, Stripe.TokenCreateParams> = false
  const opened: IsOfficial<
    { card: { number: string; exp_month: string; exp_year: string; cryptogram: string } },
    Stripe.TokenCreateParams
  > = false

  expect([token, cryptogram, earlier, apple, opened]).toEqual(Array(5).fill(false))
})

describe('the form of a card payment', () => {
  const cardOf = (over: Partial<AuthorizeOrder>) => FORMS.card(authorizeOrder(over))

  test('names our ids, and asks for all that captures may need', () => {
    const order = authorizeOrder()

    expect(FORMS.card(order)).toMatchObject({
      amount: 1299,
      currency: 'usd',
      confirm: true,
      capture_method: 'manual',
      metadata: { attempt: order.attemptId, transaction: order.transactionId },
      payment_method: 'pm_1',
      payment_method_options: {
        card: {
          request_multicapture: 'if_available',
          request_overcapture: 'if_available',
          request_incremental_authorization: 'if_available',
        },
      },
    })
    expect(cardOf({ intent: 'capture' }).payment_method_options.card).not.toHaveProperty(
      'request_multicapture',
    )
  })

  test('passes on an authentication that was done elsewhere', () => {
    const form = cardOf({ threeDSecure: RESULT, redirectUrl: 'https://shop.example.com' })

    expect(form).toMatchObject({
      error_on_requires_action: true,
      payment_method_options: {
        card: {
          three_d_secure: {
            version: '2.2.0',
            cryptogram: 'AAABBBCCC=',
            transaction_id: RESULT.directoryTransactionId,
            electronic_commerce_indicator: '05',
            ares_trans_status: 'Y',
          },
        },
      },
    })
    expect(form).not.toHaveProperty('return_url')
  })

  test.each([
    ['2', '2.2.0'],
    ['2.1', '2.1.0'],
    ['2.3.1', '2.3.1'],
    ['1', '1.0.2'],
    ['1.0.2', '1.0.2'],
  ])('names version %s of 3-D Secure as %s', (version, named) => {
    const { card: options } = cardOf({ threeDSecure: { ...RESULT, version } }).payment_method_options

    expect(options).toMatchObject({ three_d_secure: { version: named } })
  })

  test('lets Stripe authenticate, if there is a way back', () => {
    const wished = cardOf({ threeDSecure: 'provider', redirectUrl: 'https://pay.example.com/return' })
    const without = cardOf({ redirectUrl: null })

    expect(wished.payment_method_options.card).toMatchObject({ request_three_d_secure: 'any' })
    expect(wished).toMatchObject({ return_url: 'https://pay.example.com/return' })
    expect(without).toMatchObject({ error_on_requires_action: true })
  })

  test.each([
    ['recurring', 'recurring'],
    ['installment', 'installment'],
    ['card_on_file', 'unscheduled'],
  ] as const)('says that a card is stored, and used again: %s', (paymentSource, usage) => {
    const first = cardOf({ paymentSource })
    const later = cardOf({ paymentSource, isSubsequentPayment: true, isMerchantInitiated: true })

    expect(first).toMatchObject({
      setup_future_usage: 'off_session',
      payment_method_options: { card: { setup_credential_usage: usage } },
    })
    expect(later).toMatchObject({
      off_session: true,
      payment_method_options: { card: { stored_credential_usage: usage } },
    })
    expect(later.setup_future_usage).toBeUndefined()
  })

  test('says that the card came by mail or telephone', () => {
    expect(cardOf({ paymentSource: 'moto' }).payment_method_options.card.moto).toBe(true)
  })

  test.each([
    ['Shop *1 <best>', 'Shop 1 best'],
    ["A 'very' long descriptor of a shop", 'A very long descriptor'],
    ['Käse & Brot Łódź', 'Kase & Brot Lodz'],
    ['寿司 Sushi – 7', 'Sushi - 7'],
    ['寿司', undefined],
    ['12345', undefined],
  ])('shows a descriptor that Stripe accepts: %s', (name, suffix) => {
    const form = cardOf({ details: { statement_descriptor: { name } } })

    expect(form.statement_descriptor_suffix).toBe(suffix)
  })

  test('passes on the options of a platform', () => {
    const options = {
      customer_id: 'cus_1',
      error_on_requires_action: true,
      stripe_connect: {
        stripe_account: 'acct_1',
        application_fee_amount: 10,
        on_behalf_of: 'acct_2',
        transfer_data_destination: 'acct_3',
        transfer_group: 'g',
      },
    }
    const order = authorizeOrder({ redirectUrl: 'https://pay.example.com/return' })
    const form = cardPaymentForm(order, { amount: 1299, method: 'pm_1' }, { ...LINK, options })

    expect(form).toMatchObject({
      customer: 'cus_1',
      application_fee_amount: 10,
      on_behalf_of: 'acct_2',
      transfer_data: { destination: 'acct_3' },
      transfer_group: 'g',
      error_on_requires_action: true,
    })
  })
})

describe('what is bought', () => {
  const tea = { name: 'Tea', quantity: 2, unit_amount: 500, discount_amount: 0, tax_amount: 99 }
  const bag = { ...tea, sku: 'BAG-CANVAS-LARGE', discount_amount: 50, unit_of_measure: 'piece' }
  const SHIPPING = {
    first_name: 'Ada',
    last_name: null,
    email_address: null,
    phone_number: null,
    address: {
      line1: 'Main St 1',
      line2: null,
      city: null,
      country: 'US',
      state: null,
      state_code: null,
      postal_code: '94103',
      house_number_or_name: null,
      organization: null,
    },
  }
  const formOf = (over: Partial<AuthorizeOrder>) => FORMS.card(authorizeOrder(over))

  test('is told with a card, and Stripe does not refuse sums that are not right', () => {
    const details = {
      cart_items: [tea, { ...bag, commodity_code: '53121603' }],
      shipping_amount: 300,
      tax_amount: 198,
      purchase_order_number: 'PO-7',
      customer_reference_number: 'C-1',
    }
    expect(formOf({ details, shipping: SHIPPING })).toMatchObject({
      amount_details: {
        enforce_arithmetic_validation: false,
        line_items: [
          { product_name: 'Tea', quantity: 2, unit_cost: 500, tax: { total_tax_amount: 99 } },
          {
            product_code: 'BAG-CANVAS-L',
            discount_amount: 50,
            unit_of_measure: 'piece',
            payment_method_options: { card: { commodity_code: '53121603' } },
          },
        ],
        // The items have it.
        tax: undefined,
        shipping: { amount: 300, to_postal_code: '94103' },
      },
      payment_details: { order_reference: 'PO-7', customer_reference: 'C-1' },
    })
  })

  test('is all or nothing, in amounts that Stripe takes', () => {
    const many = Array.from({ length: 201 }, () => tea)
    const tax_amount = 198

    for (const over of [
      { details: { cart_items: many, tax_amount } },
      { details: { cart_items: [{ ...tea, unit_amount: 50_001 }], tax_amount: 19_800 }, currency: 'MGA' },
    ]) {
      const form = formOf({ ...over, shipping: null })
      expect(form.amount_details).toEqual({
        enforce_arithmetic_validation: false,
        tax: { total_tax_amount: 198 },
      })
      expect(form.payment_details?.order_reference).toBe(authorizeOrder().reconciliationId)
    }
  })

  test('is not in a payment that does not tell it', () => {
    const form = formOf({ details: { description: 'Tea' } })

    expect(Object.keys(form)).not.toContain('amount_details')
    expect(Object.keys(form)).not.toContain('payment_details')
  })
})

test('the other forms name what they are about', () => {
  const order = authorizeOrder({ redirectUrl: 'https://pay.example.com/return' })

  expect(FORMS.method(order).card).toMatchObject({ exp_month: 12, exp_year: 2035 })
  expect(FORMS.setup(order)).toMatchObject({ usage: 'off_session', metadata: { attempt: order.attemptId } })
  expect(FORMS.setup({ ...order, paymentSource: 'moto' })).toMatchObject({
    payment_method_options: { card: { moto: true } },
  })
  expect(FORMS.ideal(order)).toMatchObject({ payment_method_data: { type: 'ideal' } })
  expect(FORMS.sepa(order)).toMatchObject({ mandate_data: { customer_acceptance: { type: 'offline' } } })
  expect(FORMS.ach(order)).toMatchObject({ payment_method_data: { type: 'us_bank_account' } })
  expect(FORMS.bacs({ ...order, billing: null }).payment_method_data).toMatchObject({
    bacs_debit: { account_number: '1', sort_code: '110000000' },
    billing_details: { name: 'Ada' },
  })
  expect(FORMS.capture()).toMatchObject({ final_capture: false, amount_to_capture: 500 })
  expect(FORMS.refund()).toMatchObject({ payment_intent: 'pi_1', amount: 500 })
  expect(FORMS.increment('a')).toEqual({ amount: 500, metadata: { a: 'increment' } })
  expect(FORMS.release()).toHaveLength(2)
  expect(FORMS.evidence('a')).toMatchObject({ evidence: { receipt: 'file_1' }, submit: true })
  expect(FORMS.file()).toEqual({ purpose: 'dispute_evidence' })
  expect(FORMS.endpoint('https://switchyard.example.com/7').enabled_events).toContain(
    'charge.dispute.created',
  )
})

test.each([
  ['blik', { blik_code: '777123' }, { payment_method_options: { blik: { code: '777123' } } }],
  [
    'payto',
    { payto_account: 'ada@example.com' },
    { payment_method_data: { payto: { pay_id: 'ada@example.com' } } },
  ],
  [
    'payto',
    { payto_account: '+61-412345678' },
    { payment_method_data: { payto: { pay_id: '+61-412345678' } } },
  ],
  [
    'payto',
    { payto_account: '012-345-678901' },
    { payment_method_data: { payto: { bsb_number: '012345', account_number: '678901' } } },
  ],
] as const)('what the buyer enters for %s stands where Stripe has it: %o', (method, entered, form) => {
  const fields = Object.fromEntries(Object.entries(entered).map(([name, value]) => [name, secret(value)]))
  const instrument = { kind: 'redirect', method, country: 'PL', currency: 'PLN', fields } as const

  expect(FORMS.entered(authorizeOrder({ instrument }), method)).toMatchObject(form)
})
