import type {
  CaptureRequest,
  CardRequest,
  OrderRequest,
  PaymentTokenRequest,
  PurchaseUnitRequest,
  ReauthorizeRequest,
  RefundRequest,
  SetupTokenRequest,
} from '@paypal/paypal-server-sdk'
import { describe, expect, test } from 'vitest'
import type { Refused } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder, Contact } from '#connectors/contract/orders.ts'
import * as samples from '#connectors/contract/samples.ts'
import { secret } from '#connectors/contract/secret.ts'
import { authorize } from './authorize.ts'
import type { captureBody, reauthorizeBody, refundBody } from './follow-ups.ts'
import { orderBody } from './order-body.ts'
import { AMEX, NETWORK_TOKEN, newOrder, openStandIn, REDIRECT, RETURN_URL } from './testing/bench.ts'
import type { cardTokenBody, paymentTokenBody, setupTokenBody } from './tokens.ts'

/**
 * PayPal's library writes its types in camel case, and sends them in snake case. So do these types, from the same
 * source. `tsc` fails if a name or a value is not PayPal's.
 */
type Snake<Text extends string> = Text extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? (Head extends `${number}` ? `_${Head}` : Head) : `_${Lowercase<Head>}`}${Snake<Tail>}`
  : ''

type Wire<Value> = Value extends string
  ? `${Value}`
  : Value extends readonly (infer Item)[]
    ? readonly Wire<Item>[]
    : Value extends object
      ? { readonly [Key in keyof Value as Snake<Key & string>]: Wire<Value[Key]> | undefined }
      : Value

/** The names in a body that PayPal's type does not have. */
type Strange<Body, Type> = Body extends readonly (infer Item)[]
  ? Type extends readonly (infer Wanted)[]
    ? Strange<Item, Wanted>
    : 'no list'
  : Body extends object
    ? {
        [Key in keyof Body & string]: Key extends keyof NonNullable<Type>
          ? Strange<NonNullable<Body[Key]>, NonNullable<NonNullable<Type>[Key]>>
          : Key
      }[keyof Body & string]
    : never

type Fits<Body, Type> = [Body] extends [Wire<Type>]
  ? [Strange<Body, Wire<Type>>] extends [never]
    ? true
    : Strange<Body, Wire<Type>>
  : 'another type'

const _fits: readonly true[] = [
  true satisfies Fits<Exclude<ReturnType<typeof orderBody>, Refused>, OrderRequest>,
  true satisfies Fits<ReturnType<typeof captureBody>, CaptureRequest>,
  true satisfies Fits<ReturnType<typeof reauthorizeBody>, ReauthorizeRequest>,
  true satisfies Fits<ReturnType<typeof refundBody>, RefundRequest>,
  true satisfies Fits<ReturnType<typeof setupTokenBody>, SetupTokenRequest>,
  true satisfies Fits<ReturnType<typeof paymentTokenBody>, PaymentTokenRequest>,
  true satisfies Fits<ReturnType<typeof cardTokenBody>, PaymentTokenRequest>,
]

test('the types of PayPal’s library would find a wrong name and a wrong value', () => {
  type Order = Exclude<ReturnType<typeof orderBody>, Refused>
  const wrongName: Fits<Omit<Order, 'intent'> & { intend: 'CAPTURE' }, OrderRequest> = 'another type'
  const extraName: Fits<Order & { colour: 'red' }, OrderRequest> = 'colour'
  const wrongValue: Fits<Omit<Order, 'intent'> & { intent: 'TAKE' }, OrderRequest> = 'another type'

  expect([wrongName, extraName, wrongValue, ..._fits]).toHaveLength(10)
})

test('PayPal’s library has no field for what we say that it does not take', () => {
  type Has<Name extends string> = Extract<
    keyof OrderRequest | keyof CardRequest | keyof PurchaseUnitRequest,
    Name
  >
  // `tsc` fails once it has one. Then take it to the wire, and say so in docs/connectors/paypal.md.
  const none: [
    Has<'threeDSecure' | 'authenticationResult' | 'authenticationResults' | 'allowPartialAuthorization'>,
  ] extends [never]
    ? 'none'
    : 'some' = 'none'

  expect(none).toBe('none')
})

type Sent = Exclude<ReturnType<typeof orderBody>, Refused>

const SETTINGS = { fields: {}, options: {} }

function bodyOf(over: Partial<AuthorizeOrder>, settings: Partial<typeof SETTINGS> = {}) {
  const order = samples.authorizeOrder({ redirectUrl: RETURN_URL, ...over })
  return orderBody(order, { ...SETTINGS, ...settings })
}

const ADA: Contact = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email_address: 'ada@example.com',
  phone_number: null,
  address: {
    city: 'London',
    country: 'GB',
    postal_code: 'W1',
    state: null,
    state_code: null,
    house_number_or_name: null,
    line1: '1 Mews',
    line2: null,
    organization: null,
  },
}

describe('an order', () => {
  const inCalifornia = (over: object = {}) => ({
    ...ADA,
    address: {
      ...(ADA.address as NonNullable<Contact['address']>),
      country: 'US',
      state: 'California',
      state_code: 'US-CA',
      ...over,
    },
  })

  test('writes a state as on a letter', () => {
    expect(bodyOf({ instrument: REDIRECT, shipping: inCalifornia() })).toMatchObject({
      purchase_units: [{ shipping: { address: { admin_area_1: 'CA', country_code: 'US' } } }],
    })
  })

  test.each([
    ['without a street', { line1: null }],
    ['without a city', { city: null }],
    ['in the United States without a state', { state: null, state_code: null }],
    ['in the United States without a postal code', { postal_code: null }],
  ])('is delivered nowhere %s', (_name, over) => {
    const order = { instrument: REDIRECT, shipping: inCalifornia(over) }
    const body = bodyOf(order) as Sent

    expect(body.purchase_units[0]).not.toHaveProperty('shipping')
    expect(body).toMatchObject({
      payment_source: { paypal: { experience_context: { shipping_preference: 'NO_SHIPPING' } } },
    })
    const options = { shipping_preference: 'SET_PROVIDED_ADDRESS' }
    expect(
      orderBody(samples.authorizeOrder({ redirectUrl: RETURN_URL, ...order }), { fields: {}, options }),
    ).toMatchObject({
      code: 'invalid_request_parameters',
    })
  })

  test.each([['a@b'], [`${'x'.repeat(250)}@example.com`]])(
    'carries no e-mail address such as %s',
    (email) => {
      const body = bodyOf({ instrument: REDIRECT, billing: { ...ADA, email_address: email } }) as Sent

      expect(body.payment_source).not.toHaveProperty('paypal.email_address')
    },
  )

  test.each([
    ['Straße 7, Łódź', 'Strasse 7 Lodz'],
    ["Joe's — the café", 'Joes - the cafe'],
    ['寿司', undefined],
  ])('is on the statement in letters that PayPal takes: %s', (name, soft_descriptor) => {
    const body = bodyOf({ instrument: AMEX, details: { statement_descriptor: { name } } }) as Sent

    expect(body.purchase_units[0]?.soft_descriptor).toBe(soft_descriptor)
  })

  test('carries our ids, what the buyer reads, and where the buyer returns', () => {
    const body = bodyOf(
      {
        instrument: REDIRECT,
        attemptId: 'a',
        billing: ADA,
        shipping: ADA,
        buyer: { id: null, ipAddress: null, locale: 'de-DE' },
        details: { description: 'Tea', statement_descriptor: { name: 'Ünique Tea Shop of London' } },
      },
      { fields: { brand_name: 'Tea' } },
    )

    const address = {
      address_line_1: '1 Mews',
      admin_area_2: 'London',
      postal_code: 'W1',
      country_code: 'GB',
    }
    expect(body).toEqual({
      intent: 'AUTHORIZE',
      purchase_units: [
        {
          custom_id: 'a',
          invoice_id: '0000000000000000000001',
          amount: { currency_code: 'USD', value: '12.99' },
          description: 'Tea',
          soft_descriptor: 'Unique Tea Shop of Lon',
          shipping: { type: 'SHIPPING', name: { full_name: 'Ada Lovelace' }, address },
        },
      ],
      payment_source: {
        paypal: {
          email_address: 'ada@example.com',
          experience_context: {
            brand_name: 'Tea',
            locale: 'de-DE',
            user_action: 'PAY_NOW',
            shipping_preference: 'SET_PROVIDED_ADDRESS',
            return_url: RETURN_URL,
            cancel_url: `${RETURN_URL}?paypal_cancelled=true`,
          },
        },
      },
    })
  })

  test('has its items if they are the whole, and else only the amount', () => {
    const item = { name: 'Tea', quantity: 2, unit_amount: 500, discount_amount: 100, tax_amount: 99 }
    const withItems = bodyOf({ instrument: REDIRECT, details: { cart_items: [item], shipping_amount: 300 } })
    const without = bodyOf({ instrument: REDIRECT, details: { cart_items: [item] } })

    expect(withItems).toMatchObject({
      purchase_units: [
        {
          amount: {
            value: '12.99',
            breakdown: {
              item_total: { value: '10.00' },
              tax_total: { value: '0.99' },
              discount: { value: '1.00' },
              shipping: { value: '3.00' },
            },
          },
          items: [{ name: 'Tea', quantity: '2', unit_amount: { value: '5.00' } }],
        },
      ],
    })
    expect(JSON.stringify(without)).not.toContain('Tea')
  })

  describe('of a card tells what the schemes want to know', () => {
    const item = {
      name: 'Tea',
      quantity: 2,
      unit_amount: 500,
      discount_amount: 100,
      tax_amount: 98,
      commodity_code: '50201706',
      unit_of_measure: 'piece of tea',
    }
    const details = {
      cart_items: [item],
      shipping_amount: 301,
      tax_amount: 98,
      duty_amount: 7,
      purchase_order_number: 'PO-7',
    }
    const levelsOf = (over: Partial<AuthorizeOrder>) =>
      (bodyOf({ details, ...over }) as Sent).purchase_units[0]?.supplementary_data
    const usd = (value: string) => ({ currency_code: 'USD', value })
    const level_2 = { invoice_id: 'PO-7', tax_total: usd('0.98') }

    test('if its items are the whole, with the tax of one', () => {
      expect(levelsOf({ instrument: AMEX, shipping: ADA })).toEqual({
        card: {
          level_2,
          level_3: {
            shipping_amount: usd('3.01'),
            duty_amount: usd('0.07'),
            discount_amount: usd('1.00'),
            shipping_address: expect.objectContaining({ admin_area_2: 'London' }),
            line_items: [
              {
                name: 'Tea',
                quantity: '2',
                unit_amount: usd('5.00'),
                tax: usd('0.49'),
                discount_amount: usd('1.00'),
                total_amount: usd('9.98'),
                commodity_code: '50201706',
              },
            ],
          },
        },
      })
    })

    test('and else no items', () => {
      const rest = { ...details, shipping_amount: 300 }

      expect(levelsOf({ instrument: AMEX, details: rest })).toEqual({ card: { level_2 } })
      expect(levelsOf({ instrument: NETWORK_TOKEN, details: rest })).toEqual({ card: { level_2 } })
      const [uneven] =
        levelsOf({
          instrument: AMEX,
          details: { ...details, cart_items: [{ ...item, tax_amount: 99 }], shipping_amount: 300 },
        })?.card.level_3?.line_items ?? []
      expect(uneven).toMatchObject({ total_amount: usd('9.99') })
      expect(uneven).not.toHaveProperty('tax')
    })

    test('but not for an account at PayPal, and not if nothing is told', () => {
      const number = { purchase_order_number: 'a number that is too long' }

      expect(levelsOf({ instrument: REDIRECT })).toBeUndefined()
      expect(levelsOf({ instrument: AMEX, details: number })).toBeUndefined()
      expect(levelsOf({ instrument: AMEX, details: {} })).toBeUndefined()
    })

    test('as PayPal takes it', async () => {
      const order = samples.authorizeOrder(newOrder({ instrument: AMEX, details, shipping: ADA }))
      const { standIn, link } = openStandIn()

      expect(await authorize(order, link)).toMatchObject({ outcome: 'approved' })
      const [made] = standIn.books.orders.values()
      expect(made?.unit).toMatchObject({ supplementary_data: { card: { level_2 } } })
    })
  })

  test('takes the options of PayPal, and refuses others', () => {
    const options = { user_action: 'CONTINUE', landing_page: 'LOGIN', brand_name: 'Shop', locale: null }

    expect(bodyOf({ instrument: REDIRECT }, { options })).toMatchObject({
      payment_source: {
        paypal: {
          experience_context: { user_action: 'CONTINUE', landing_page: 'LOGIN', brand_name: 'Shop' },
        },
      },
    })
    for (const wrong of [{ user_action: 'RUN' }, { landing_page: 7 }]) {
      expect(bodyOf({ instrument: REDIRECT }, { options: wrong })).toMatchObject({
        outcome: 'failed',
        code: 'invalid_request_parameters',
        facts: { rawDescription: expect.stringContaining(`paypal-paypal.${Object.keys(wrong)[0]}`) },
      })
    }
  })

  test.each([
    [129_950, 'HUF', 'invalid_amount'],
    [150, 'TWD', 'invalid_amount'],
    [1000, 'KWD', 'unsupported_currency'],
    [0, 'USD', 'invalid_amount'],
  ])('of %i %s is not sent: %s', (amount, currency, code) => {
    expect(bodyOf({ amount, currency, instrument: AMEX })).toMatchObject({ outcome: 'failed', code })
  })

  test('that needs the buyer needs an address to return to', () => {
    const wrong = { outcome: 'failed', code: 'invalid_request_parameters' }

    expect(bodyOf({ instrument: REDIRECT, redirectUrl: null })).toMatchObject(wrong)
    expect(bodyOf({ instrument: AMEX, threeDSecure: 'provider', redirectUrl: null })).toMatchObject(wrong)
    expect(bodyOf({ instrument: AMEX, redirectUrl: null })).toMatchObject({ intent: 'AUTHORIZE' })
  })
})

describe('a network token', () => {
  const sourceOf = (over: object, order: Partial<AuthorizeOrder> = {}) => {
    const instrument = { ...NETWORK_TOKEN, ...over } as AuthorizeOrder['instrument']
    const body = bodyOf({ instrument, ...order })
    return 'outcome' in body ? body : body.payment_source
  }
  const number = { number: '4111111111111111', expiry: '2030-03' }
  const cryptogram = 'AgAAAAAAAIR8CQrXcIhbQAAAAAA='

  test('goes with its cryptogram, and its indicator in PayPal’s words', () => {
    expect(sourceOf({})).toEqual({
      card: {
        name: 'Jane Doe',
        network_token: { ...number, cryptogram, eci_flag: 'NON_3D_SECURE_TRANSACTION' },
      },
    })
  })

  test.each([
    ['5', 'FULLY_AUTHENTICATED_TRANSACTION'],
    ['02', 'MASTERCARD_FULLY_AUTHENTICATED_TRANSACTION'],
    ['99', undefined],
    [null, undefined],
  ])('with the indicator %s has the flag %s', (eci, eci_flag) => {
    const source = sourceOf({ eci }) as { card: { network_token: { eci_flag?: string } } }

    expect(source.card.network_token.eci_flag).toBe(eci_flag)
  })

  test('on file has no cryptogram, and names the first payment', () => {
    const order = {
      paymentSource: 'recurring',
      isMerchantInitiated: true,
      isSubsequentPayment: true,
      previousSchemeTransactionId: '123456789012345',
    } as const

    expect(sourceOf({ cryptogram: null, eci: null, cardholderName: null }, order)).toEqual({
      card: {
        network_token: number,
        stored_credential: {
          payment_initiator: 'MERCHANT',
          payment_type: 'RECURRING',
          usage: 'SUBSEQUENT',
          previous_network_transaction_reference: { id: '123456789012345' },
        },
      },
    })
  })

  test('of Apple Pay goes as what was in its token, with the amount', () => {
    expect(sourceOf({ cardSource: 'apple-pay' }, { billing: ADA })).toEqual({
      apple_pay: {
        decrypted_token: {
          transaction_amount: { currency_code: 'USD', value: '12.99' },
          tokenized_card: {
            ...number,
            name: 'Jane Doe',
            billing_address: {
              address_line_1: '1 Mews',
              admin_area_2: 'London',
              postal_code: 'W1',
              country_code: 'GB',
            },
          },
          payment_data_type: '3DSECURE',
          payment_data: { cryptogram, eci_indicator: '07' },
        },
      },
    })
  })

  test('of Google Pay goes as what was in its token', () => {
    expect(sourceOf({ cardSource: 'google-pay', eci: null })).toEqual({
      google_pay: {
        decrypted_token: {
          payment_method: 'CARD',
          authentication_method: 'CRYPTOGRAM_3DS',
          card: { ...number, name: 'Jane Doe' },
          cryptogram,
        },
      },
    })
  })

  test.each([
    ['an authentication by PayPal', {}, { threeDSecure: 'provider' }, 'invalid_request_parameters'],
    [
      'Google Pay without a cryptogram',
      { cardSource: 'google-pay', cryptogram: null },
      {},
      'invalid_request_parameters',
    ],
    [
      'Google Pay without the buyer',
      { cardSource: 'google-pay' },
      { isMerchantInitiated: true },
      'unsupported_transaction',
    ],
  ] as const)('is not sent for %s', (_name, over, order, code) => {
    expect(sourceOf(over, order)).toMatchObject({ outcome: 'failed', code })
  })

  test('that a wallet has encrypted is not for PayPal', () => {
    const instrument = {
      kind: 'wallet',
      wallet: 'applepay',
      token: secret('{}'),
      checkoutToken: null,
      cardholderName: null,
      cardScheme: null,
      cardType: null,
      assurance: null,
    } as const

    expect(bodyOf({ instrument })).toMatchObject({ outcome: 'failed', code: 'unsupported_payment_method' })
  })
})

describe('a card', () => {
  const sourceOf = (over: Partial<AuthorizeOrder>) => {
    const body = bodyOf({ instrument: AMEX, ...over })
    if ('outcome' in body) throw new Error(body.code)
    return body.payment_source
  }

  test('goes with its holder, its address, and its code', () => {
    expect(sourceOf({ billing: ADA, redirectUrl: null })).toEqual({
      card: {
        number: '371449635398431',
        expiry: '2035-12',
        security_code: samples.SECURITY_CODE,
        name: 'Ada Lovelace',
        billing_address: {
          address_line_1: '1 Mews',
          admin_area_2: 'London',
          postal_code: 'W1',
          country_code: 'GB',
        },
      },
    })
  })

  test.each([
    [{ paymentSource: 'ecommerce' }, undefined],
    [{ paymentSource: 'moto' }, undefined],
    [
      { paymentSource: 'card_on_file' },
      { payment_initiator: 'CUSTOMER', payment_type: 'ONE_TIME', usage: 'FIRST' },
    ],
    [
      { paymentSource: 'recurring' },
      { payment_initiator: 'CUSTOMER', payment_type: 'RECURRING', usage: 'FIRST' },
    ],
    [
      { paymentSource: 'card_on_file', isSubsequentPayment: true },
      { payment_initiator: 'CUSTOMER', payment_type: 'ONE_TIME', usage: 'SUBSEQUENT' },
    ],
    [
      {
        paymentSource: 'card_on_file',
        isMerchantInitiated: true,
        previousSchemeTransactionId: '123456789012345',
      },
      {
        payment_initiator: 'MERCHANT',
        payment_type: 'UNSCHEDULED',
        usage: 'SUBSEQUENT',
        previous_network_transaction_reference: { id: '123456789012345' },
      },
    ],
    [
      { paymentSource: 'installment', isMerchantInitiated: true, previousSchemeTransactionId: 'short' },
      { payment_initiator: 'MERCHANT', payment_type: 'RECURRING', usage: 'SUBSEQUENT' },
    ],
  ] as const)('on file: %o', (over, credential) => {
    const { card } = sourceOf(over) as { card: Record<string, unknown> }

    expect(card['stored_credential']).toEqual(credential)
    expect('security_code' in card).toBe(!('isMerchantInitiated' in over))
  })

  test('can be checked where the law wants it, if the buyer is there and can return', () => {
    const asked = {
      attributes: { verification: { method: 'SCA_WHEN_REQUIRED' } },
      experience_context: { return_url: RETURN_URL, cancel_url: `${RETURN_URL}?paypal_cancelled=true` },
    }

    expect(sourceOf({ redirectUrl: RETURN_URL })).toMatchObject({ card: asked })
    for (const over of [{ redirectUrl: null }, { redirectUrl: RETURN_URL, isMerchantInitiated: true }]) {
      expect(sourceOf(over)).not.toHaveProperty('card.experience_context')
    }
  })

  test('is checked by PayPal if the order says so, also as a token', () => {
    const asked = {
      attributes: { verification: { method: 'SCA_ALWAYS' } },
      experience_context: { return_url: RETURN_URL, cancel_url: `${RETURN_URL}?paypal_cancelled=true` },
    }
    const token = {
      kind: 'provider-token',
      method: 'card',
      token: secret('T'),
      securityCode: secret('123'),
    } as const

    expect(sourceOf({ threeDSecure: 'provider' })).toMatchObject({ card: asked })
    expect(sourceOf({ threeDSecure: 'provider', instrument: token })).toEqual({
      card: { vault_id: 'T', security_code: '123', ...asked },
    })
  })

  test('of a stored account at PayPal is charged without the buyer', () => {
    const token = {
      kind: 'provider-token',
      method: 'paypal',
      token: secret('T'),
      securityCode: null,
    } as const

    expect(sourceOf({ instrument: token })).toEqual({ paypal: { vault_id: 'T' } })
    expect(sourceOf({ instrument: token, isMerchantInitiated: true, paymentSource: 'recurring' })).toEqual({
      paypal: {
        vault_id: 'T',
        stored_credential: {
          payment_initiator: 'MERCHANT',
          usage: 'SUBSEQUENT',
          usage_pattern: 'RECURRING_PREPAID',
        },
      },
    })
  })
})
