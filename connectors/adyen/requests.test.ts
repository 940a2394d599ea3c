import { Types } from '@adyen/api-library'
import { describe, expect, test } from 'vitest'
import type { Connector, Link } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import * as samples from '#connectors/contract/samples.ts'
import { secret } from '#connectors/contract/secret.ts'
import { adyenConnectors } from './connectors.ts'
import { ASKED, BROWSER, CARD_ORDER, contact, openShop, RETURN_URL } from './testing/shop.ts'

/** What is sent, against the types of Adyen's own library. */

const shop = openShop()
const { CardDetails, PaymentRequest, ThreeDSecureData, AuthenticationData, ThreeDSRequestData } =
  Types.checkout

function connectorFor(method: string): Required<Connector> {
  return adyenConnectors.find(({ manifest }) => manifest.method === method) as Required<Connector>
}

/** A link that notes the bodies and keys of requests. */
function watched(options: Link['options'] = {}) {
  const sent: { path: string; key: string | null; body: Record<string, unknown> }[] = []
  const link: Link = {
    ...shop.link,
    options,
    fetch: (url, init) => {
      const key = new Headers(init?.headers).get('idempotency-key')
      sent.push({ path: new URL(url).pathname, key, body: JSON.parse(String(init?.body ?? '{}')) })
      return shop.link.fetch(url, init)
    },
  }
  return { link, sent }
}

async function sentFor(over: Partial<AuthorizeOrder>, { method = 'card', options = {} } = {}) {
  const { link, sent } = watched(options)
  const order = samples.authorizeOrder({ ...CARD_ORDER, ...over })
  const answer = await connectorFor(method).authorize(order, link)
  return { order, answer, sent: sent[0] as (typeof sent)[number], count: sent.length }
}

const ADDRESS = {
  line1: '12 Main Street',
  line2: null,
  city: 'Springfield',
  country: 'US',
  postal_code: '62704',
  state: 'Illinois',
  state_code: 'US-IL',
  house_number_or_name: null,
  organization: null,
}
const JANE = contact({
  first_name: 'Jane',
  last_name: 'Doe',
  email_address: 'jane@example.com',
  phone_number: '+14155550100',
  address: ADDRESS,
})

describe('a card', () => {
  test('tells companies what was bought, in the words and lengths that Adyen takes', async () => {
    const item = {
      name: 'Café crème, ein sehr großes Gebinde',
      quantity: 2,
      unit_amount: 500,
      discount_amount: 100,
      tax_amount: null,
      sku: 'SKU-0123456789',
      commodity_code: '50201706',
      unit_of_measure: 'EACH',
    }
    const details = {
      tax_amount: 199,
      shipping_amount: 200,
      duty_amount: 0,
      purchase_order_number: ' Bestellung Nº 4711 für die Küche',
      cart_items: [item],
    }

    const { sent, answer } = await sentFor({ billing: JANE, details })

    expect(answer.outcome).toBe('approved')
    expect(sent.body['enhancedSchemeData']).toEqual({
      levelTwoThree: {
        customerReferenceNumber: 'Bestellung N 4711 fur die',
        totalTaxAmount: 199,
        dutyAmount: 0,
        freightAmount: 200,
        destination: { countryCode: 'US', postalCode: '62704', stateOrProvince: 'IL' },
        itemDetailLines: [
          {
            description: 'Cafe creme, ein sehr groes',
            productCode: 'SKU-01234567',
            commodityCode: '50201706',
            quantity: 2,
            unitPrice: 500,
            discountAmount: 100,
            totalAmount: 900,
          },
        ],
      },
    })
    const odd = await sentFor({ details: { ...details, cart_items: [item, { ...item, quantity: 10_000 }] } })
    expect(odd.sent.body['enhancedSchemeData']).toMatchObject({ levelTwoThree: { totalTaxAmount: 199 } })
    expect(JSON.stringify(odd.sent.body['enhancedSchemeData'])).not.toContain('itemDetailLines')
  })

  test.each([
    ['without a tax', { details: { cart_items: [], customer_reference_number: '1' } }, {}],
    ['with a tax of nothing and no items', { details: { tax_amount: 0 } }, {}],
    [
      'with the merchant’s own words',
      { details: { tax_amount: 9 } },
      { additionalData: { 'enhancedSchemeData.totalTaxAmount': '9' } },
    ],
  ])('says nothing of the purchase %s', async (_name, over, options) => {
    const { sent } = await sentFor(over, { options })

    expect(sent.body).not.toHaveProperty('enhancedSchemeData')
  })

  test('tells of a flight what Adyen takes: codes whole, words cut, and legs with their passengers', async () => {
    const leg = {
      carrier_code: 'KL',
      departure_airport: 'AMS',
      arrival_airport: 'LIS',
      departure_at: '2026-12-24T10:05:00+01:00',
      flight_number: 'KL1693',
      flight_class: 'Y',
      fare_basis_code: 'YBSTXX',
      departure_tax_amount: 1_250,
      stop_over: false,
    }
    const airline = {
      issuing_carrier_code: 'KLM',
      issuing_iata_designator: 'KL',
      passenger_name_record: 'QX7RB2',
      issued_address: 'Amsterdamseweg 55, Amstelveen',
      issued_at: '2026-11-01T09:30:00Z',
      ticket_number: '0741234567890',
      travel_agency_name: 'Reisebüro am Großen Markt GmbH',
      travel_agency_code: '0123456789',
      passengers: [
        { first_name: 'Márta', last_name: 'Nagy-Szentgyörgyi', title: 'Dr', age_group: 'adult' as const },
        { first_name: '寿', last_name: 'Doe' },
      ],
      legs: [leg],
    }

    const { sent, answer } = await sentFor({ details: { airline } })

    expect(answer.outcome).toBe('approved')
    expect(sent.body['enhancedSchemeData']).toEqual({
      airline: {
        passengerName: 'Nagy-Szentgyorgyi/Ma',
        designatorCode: 'KL',
        customerReferenceNumber: 'QX7RB2',
        ticket: { number: '0741234567890', issueAddress: 'Amsterdamseweg 5', issueDate: '2026-11-01' },
        travelAgency: { name: 'Reiseburo am Groen Markt' },
        passengers: [{ firstName: 'Marta', lastName: 'Nagy-Szentgyorgyi', travellerType: 'ADT' }],
        legs: [
          {
            carrierCode: 'KL',
            departureAirportCode: 'AMS',
            destinationAirportCode: 'LIS',
            dateOfTravel: '2026-12-24T10:05:00+01:00',
            flightNumber: '1693',
            classOfTravel: 'Y',
            fareBasisCode: 'YBSTXX',
            departureTax: 1_250,
            stopOverCode: 'X',
          },
        ],
      },
    })
    const odd = await sentFor({
      details: { airline: { ...airline, legs: [leg, { ...leg, carrier_code: 'KLM' }] } },
    })
    expect(JSON.stringify(odd.sent.body['enhancedSchemeData'])).not.toContain('carrierCode')
    const own = { additionalData: { 'airline.passenger_name': 'DOE / JANE' } }
    expect((await sentFor({ details: { airline } }, { options: own })).sent.body).not.toHaveProperty(
      'enhancedSchemeData',
    )
    expect(
      (await sentFor({ details: { airline: { legs: [leg] } }, billing: null })).sent.body,
    ).not.toHaveProperty('enhancedSchemeData')
  })

  test('may be approved in part, where the payment allows it', async () => {
    await shop.standIn.control('balances', { number: samples.CARD_NUMBER, value: 500 })
    try {
      const whole = await sentFor({ attemptId: '0198f7a1-0000-7c3b-9d2a-5b1c2d3e4f01' })
      const part = await sentFor({
        attemptId: '0198f7a1-0000-7c3b-9d2a-5b1c2d3e4f02',
        isPartialAllowed: true,
      })

      expect(whole.answer).toMatchObject({ outcome: 'declined', code: 'insufficient_funds' })
      expect(whole.sent.body['additionalData']).not.toHaveProperty('allowPartialAuth')
      expect(part.sent.body['additionalData']).toMatchObject({ allowPartialAuth: 'true' })
      expect(part.answer).toMatchObject({ outcome: 'approved', amount: 500 })
    } finally {
      await shop.standIn.control('balances', { number: samples.CARD_NUMBER, value: 99_999_999 })
    }
  })

  test('is sent whole, under the id of the attempt', async () => {
    const buyer = { id: '5a3c0a4e-buyer', ipAddress: '192.0.2.7', locale: 'pt-BR' }
    const { order, sent, answer } = await sentFor({ billing: JANE, buyer, intent: 'capture' })

    const expected = {
      merchantAccount: 'StandInShop',
      amount: { value: 1299, currency: 'USD' },
      reference: order.attemptId,
      merchantOrderReference: order.reconciliationId,
      paymentMethod: {
        type: CardDetails.TypeEnum.Scheme,
        number: samples.CARD_NUMBER,
        expiryMonth: '12',
        expiryYear: '2035',
        cvc: '737',
        holderName: 'Jane Doe',
      },
      returnUrl: RETURN_URL,
      shopperReference: buyer.id,
      shopperIP: buyer.ipAddress,
      shopperLocale: 'pt_BR',
      shopperEmail: 'jane@example.com',
      telephoneNumber: '+14155550100',
      shopperName: { firstName: 'Jane', lastName: 'Doe' },
      countryCode: 'US',
      billingAddress: {
        street: 'Main Street',
        houseNumberOrName: '12',
        city: 'Springfield',
        country: 'US',
        postalCode: '62704',
        stateOrProvince: 'IL',
      },
      shopperInteraction: PaymentRequest.ShopperInteractionEnum.Ecommerce,
      captureDelayHours: 0,
      authenticationData: { attemptAuthentication: AuthenticationData.AttemptAuthenticationEnum.Never },
    } satisfies Types.checkout.PaymentRequest
    expect(sent).toEqual({ path: '/v71/payments', key: order.attemptId, body: expected })
    expect(answer).toMatchObject({
      outcome: 'approved',
      facts: { avsResponseCode: 'match', cvvResponseCode: 'match', schemeTransactionId: expect.any(String) },
    })
  })

  test('is held with the wish to capture by hand', async () => {
    const { sent } = await sentFor({ intent: 'authorize' })

    expect(sent.body['additionalData']).toEqual({ manualCapture: 'true', authorisationType: 'PreAuth' })
    expect(sent.body['captureDelayHours']).toBeUndefined()
  })

  test('carries the result of an authentication elsewhere', async () => {
    const threeDSecure = {
      version: '2.2.0',
      eci: '05',
      cavv: '3q2+78r+ur7erb7vyv66vv////8=',
      directoryTransactionId: 'c4e59ceb-a382-4d6a-bc87-385d591fa09d',
      directoryResponse: 'Y',
      authenticationResponse: null,
      xid: null,
      cavvAlgorithm: null,
    }
    const { sent } = await sentFor({ threeDSecure })

    const expected = {
      threeDSVersion: '2.2.0',
      eci: '05',
      cavv: '3q2+78r+ur7erb7vyv66vv////8=',
      dsTransID: 'c4e59ceb-a382-4d6a-bc87-385d591fa09d',
      directoryResponse: ThreeDSecureData.DirectoryResponseEnum.Y,
      authenticationResponse: ThreeDSecureData.AuthenticationResponseEnum.Y,
    } satisfies Types.checkout.ThreeDSecureData
    expect(sent.body['mpiData']).toEqual(expected)
    expect(sent.body['authenticationData']).toBeUndefined()
  })

  test('is authenticated by Adyen on a page, with the browser of the buyer', async () => {
    const { sent, answer } = await sentFor(ASKED)

    expect(sent.body).toMatchObject({
      authenticationData: {
        attemptAuthentication: AuthenticationData.AttemptAuthenticationEnum.Always,
        threeDSRequestData: { nativeThreeDS: ThreeDSRequestData.NativeThreeDSEnum.Disabled },
      },
      channel: PaymentRequest.ChannelEnum.Web,
      origin: 'https://switchyard.example.com',
      browserInfo: { acceptHeader: '*/*', userAgent: 'Mozilla/5.0', javaScriptEnabled: true },
    } satisfies Partial<Record<keyof Types.checkout.PaymentRequest, unknown>>)
    expect(answer).toMatchObject({ outcome: 'approval_required', approval: { kind: 'redirect' } })
  })

  test.each([
    ['without the browser', { details: {} }, 'browser_info'],
    [
      'without an address of the buyer',
      {
        details: { browser_info: BROWSER },
        buyer: { id: null, ipAddress: null, locale: null },
        billing: null,
      },
      'e-mail address',
    ],
  ])('is not authenticated by Adyen %s, and nothing is sent', async (_name, over, words) => {
    const { count, answer } = await sentFor({ threeDSecure: 'provider', ...over })

    expect(count).toBe(0)
    expect(answer).toMatchObject({ outcome: 'failed', code: 'invalid_request_parameters' })
    expect(answer).toHaveProperty('facts.rawDescription', expect.stringContaining(words))
  })

  test.each([
    ['a chosen type', {}, { authorisationType: 'FinalAuth' }, 'FinalAuth'],
    ['a debit of a subscription', { paymentSource: 'recurring', isMerchantInitiated: true }, {}, undefined],
    [
      'a charge of a stored card',
      { paymentSource: 'card_on_file', isMerchantInitiated: true },
      {},
      'PreAuth',
    ],
  ] as const)('is held as it has to be: %s', async (_name, over, additionalData, expected) => {
    const { sent } = await sentFor({ intent: 'authorize', ...over }, { options: { additionalData } })

    expect(sent.body['additionalData']).toHaveProperty('manualCapture', 'true')
    expect((sent.body['additionalData'] as { authorisationType?: string }).authorisationType).toBe(expected)
  })

  test('of a guest is of a shopper of its own if it is the first of many', async () => {
    const { sent, answer } = await sentFor({
      paymentSource: 'recurring',
      buyer: { id: null, ipAddress: null, locale: null },
      transactionId: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0009',
    })

    expect(sent.body['shopperReference']).toBe('0199f3a0-5d3b-7c00-8a11-3f1f7f1f0009')
    expect(answer).toMatchObject({ outcome: 'approved' })

    const storedMethodId = '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0010'
    const series = { paymentSource: 'recurring', isMerchantInitiated: true, storedMethodId } as const
    const later = await sentFor({ ...series, isSubsequentPayment: true })
    const ofBuyer = await sentFor({ ...series, buyer: { id: 'a-buyer', ipAddress: null, locale: null } })
    expect(later.sent.body['shopperReference']).toBe(storedMethodId)
    expect(ofBuyer.sent.body['shopperReference']).toBe('a-buyer')
  })

  test.each([
    ['SHOP & CO #1 | BERLIN', 'SHOP  CO 1  BERLIN'],
    ['&&&&&', undefined],
  ])('has a statement in letters that Adyen takes: %s', async (name, expected) => {
    const { sent, answer } = await sentFor({ details: { statement_descriptor: { name } } })

    expect(sent.body['shopperStatement']).toBe(expected)
    expect(answer).toMatchObject({ outcome: 'approved' })
  })

  test('may want a form that is posted', async () => {
    const instrument = samples.card({ number: secret('4212345678901237'), securityCode: secret('737') })
    const { answer } = await sentFor({
      instrument,
      ...ASKED,
    })

    expect(answer).toMatchObject({ approval: { kind: 'form', fields: { MD: expect.any(String) } } })
  })

  test.each([
    ['the first of a subscription', { paymentSource: 'recurring' }, 'Ecommerce', 'Subscription'],
    ['instalments', { paymentSource: 'installment' }, 'Ecommerce', 'Subscription'],
    ['the first of a stored card', { paymentSource: 'card_on_file' }, 'Ecommerce', 'CardOnFile'],
    [
      'a stored card, by its buyer',
      { paymentSource: 'card_on_file', isSubsequentPayment: true },
      'ContAuth',
      'CardOnFile',
    ],
    [
      'a stored card, by the merchant',
      { paymentSource: 'card_on_file', isSubsequentPayment: true, isMerchantInitiated: true },
      'ContAuth',
      'UnscheduledCardOnFile',
    ],
    ['mail and telephone', { paymentSource: 'moto' }, 'Moto', undefined],
    ['none of these', {}, 'Ecommerce', undefined],
  ] as const)('says who pays: %s', async (_name, over, shopperInteraction, recurringProcessingModel) => {
    const { sent } = await sentFor(over)

    expect(sent.body['shopperInteraction']).toBe(shopperInteraction)
    expect(sent.body['recurringProcessingModel']).toBe(recurringProcessingModel)
  })

  test('names the first payment in later ones, which have no security code', async () => {
    const { sent } = await sentFor({
      paymentSource: 'recurring',
      isMerchantInitiated: true,
      isSubsequentPayment: true,
      previousSchemeTransactionId: '060111111111111',
      previousTransactionLinkId: 'TLID-1',
    })

    expect(sent.body['paymentMethod']).toMatchObject({ networkPaymentReference: '060111111111111' })
    expect(sent.body['paymentMethod']).not.toHaveProperty('cvc')
    expect(sent.body['additionalData']).toMatchObject({ transactionLinkId: 'TLID-1' })
    expect(sent.body['authenticationData']).toBeUndefined()
  })
})

describe('instruments', () => {
  const token = {
    kind: 'network-token',
    source: 'network-token',
    token: secret('4111111111111111'),
    expirationDate: '03/30',
    cryptogram: secret('AgAAAAAAAIR8CQrXcIhbQAAAAAA='),
    eci: '07',
    scheme: 'visa',
    cardholderName: 'Jane Doe',
    cardSource: null,
  } as const
  const wallet = {
    checkoutToken: null,
    cardholderName: null,
    cardScheme: null,
    cardType: null,
    assurance: null,
  }

  test('a network token has its own type and cryptogram', async () => {
    const { sent, answer } = await sentFor({ instrument: token })

    expect(sent.body['paymentMethod']).toEqual({
      type: CardDetails.TypeEnum.NetworkToken,
      number: '4111111111111111',
      expiryMonth: '03',
      expiryYear: '2030',
      holderName: 'Jane Doe',
    } satisfies Types.checkout.CardDetails)
    expect(sent.body['mpiData']).toEqual({
      authenticationResponse: ThreeDSecureData.AuthenticationResponseEnum.Y,
      directoryResponse: ThreeDSecureData.DirectoryResponseEnum.Y,
      eci: '07',
      tokenAuthenticationVerificationValue: 'AgAAAAAAAIR8CQrXcIhbQAAAAAA=',
    } satisfies Types.checkout.ThreeDSecureData)
    expect(answer.outcome).toBe('approved')
  })

  test.each([
    ['apple-pay', 'applepay'],
    ['google-pay', 'googlepay'],
  ] as const)('a token of %s that was opened is a card with a brand', async (cardSource, brand) => {
    const { sent } = await sentFor({ instrument: { ...token, cardSource } })

    expect(sent.body['paymentMethod']).toMatchObject({ type: 'scheme', brand })
    expect(sent.body['mpiData']).toMatchObject({ cavv: 'AgAAAAAAAIR8CQrXcIhbQAAAAAA=', eci: '07' })
    expect(sent.body['additionalData']).toMatchObject({
      'paymentdatasource.type': brand,
      'paymentdatasource.tokenized': 'true',
    })
  })

  test('a card of Google Pay is no token', async () => {
    const instrument = samples.card({ source: 'googlepay_pan_only', securityCode: null })
    const { sent } = await sentFor({ instrument })

    expect(sent.body['paymentMethod']).toMatchObject({ type: 'scheme', brand: 'googlepay' })
    expect(sent.body['additionalData']).toMatchObject({ 'paymentdatasource.tokenized': 'false' })
  })

  test('wallets that Adyen opens are passed on', async () => {
    const data = { data: 'x', signature: 'y', version: 'EC_v1' }
    const apple = secret(JSON.stringify({ paymentData: data, transactionIdentifier: 'z' }))
    const google = secret('{"signature":"s","protocolVersion":"ECv2"}')
    const [byApple, byGoogle] = [
      await sentFor({ instrument: { kind: 'wallet', wallet: 'applepay', token: apple, ...wallet } }),
      await sentFor({ instrument: { kind: 'wallet', wallet: 'googlepay', token: google, ...wallet } }),
    ]

    const applePayToken = Buffer.from(JSON.stringify(data)).toString('base64')
    expect(byApple.sent.body['paymentMethod']).toEqual({ type: 'applepay', applePayToken })
    expect(byGoogle.sent.body['paymentMethod']).toEqual({
      type: 'googlepay',
      googlePayToken: google.use(String),
    })
  })

  test('others are refused without a request', async () => {
    const paze = { kind: 'wallet', wallet: 'paze', token: secret('t'), ...wallet } as const
    const sepa = {
      kind: 'bank',
      payload: secret('{"scheme":"bacs","account_number":"1"}'),
      mandate: null,
    } as const

    expect(await sentFor({ instrument: paze })).toMatchObject({
      count: 0,
      answer: { code: 'unsupported_payment_method' },
    })
    expect(await sentFor({ instrument: sepa, currency: 'EUR' }, { method: 'sepa' })).toMatchObject({
      count: 0,
      answer: { outcome: 'failed', code: 'unsupported_payment_method', isRetriable: true },
    })
    expect(
      await sentFor({ instrument: { kind: 'bank', payload: secret('x'), mandate: null } }, { method: 'ach' }),
    ).toMatchObject({
      count: 0,
    })
  })
})

describe('other methods', () => {
  const redirect = (method: string) => ({ kind: 'redirect', method, country: 'SE', currency: 'SEK' }) as const

  test('Klarna gets items that add up, or the sale as one', async () => {
    const item = { name: 'Shirt', quantity: 2, unit_amount: 500, discount_amount: null, tax_amount: null }
    const odd = { name: 'Sock', quantity: 2, unit_amount: 100, discount_amount: 1, tax_amount: null }
    const order = { instrument: redirect('klarna'), currency: 'SEK', amount: 1199 }

    const [whole, other] = [
      await sentFor({ ...order, details: { cart_items: [item, odd] } }, { method: 'klarna' }),
      await sentFor({ ...order, details: { cart_items: [item] } }, { method: 'klarna' }),
    ]

    expect(whole.sent.body['lineItems']).toEqual([
      { id: '1', description: 'Shirt', quantity: 2, amountIncludingTax: 500 },
      { id: '2', description: '2 × Sock', quantity: 1, amountIncludingTax: 199 },
    ] satisfies Types.checkout.LineItem[])
    expect(other.sent.body['lineItems']).toMatchObject([{ quantity: 1, amountIncludingTax: 1199 }])
  })

  test('PayPal is asked for a page, not for its script', async () => {
    const { sent } = await sentFor({ instrument: redirect('paypal') }, { method: 'paypal' })

    expect(sent.body['paymentMethod']).toEqual({ type: 'paypal', subtype: 'redirect' })
  })

  test('accounts are sent with their owner', async () => {
    const account = {
      scheme: 'ach',
      account_number: '123456789',
      routing_number: '121000358',
      account_type: 'savings',
      account_holder: { company_name: 'Acme Ltd' },
    }
    const instrument = { kind: 'bank', payload: secret(JSON.stringify(account)), mandate: null } as const
    const { sent } = await sentFor({ instrument }, { method: 'ach' })

    expect(sent.body['paymentMethod']).toEqual({
      type: Types.checkout.AchDetails.TypeEnum.Ach,
      bankAccountNumber: '123456789',
      bankLocationId: '121000358',
      bankAccountType: Types.checkout.AchDetails.BankAccountTypeEnum.Savings,
      ownerName: 'Acme Ltd',
      accountHolderType: Types.checkout.AchDetails.AccountHolderTypeEnum.Business,
    } satisfies Types.checkout.AchDetails)
  })

  test.each(['sepa', 'bacs', 'ach'] as const)(
    'debits of one stored account have one shopper: %s',
    async (method) => {
      const account = { scheme: method, account_number: 'NL13TEST0123456789', routing_number: '121000358' }
      const reference = '0123456789abcdef0123456789abcdef'
      const payload = secret(JSON.stringify(account))
      const mandate = { reference, signedAt: '2026-11-01T09:30:00.000Z' }
      const stored = { kind: 'bank', payload, mandate } as const
      const order = { instrument: stored, currency: { sepa: 'EUR', bacs: 'GBP', ach: 'USD' }[method] }
      const later = {
        isSubsequentPayment: true,
        isMerchantInitiated: true,
        paymentSource: 'recurring',
      } as const
      const bodyOf = async (over: Partial<AuthorizeOrder>) =>
        (
          await sentFor(
            { ...order, buyer: { id: 'a-buyer', ipAddress: null, locale: null }, ...over },
            { method },
          )
        ).sent.body

      expect(await bodyOf({})).toMatchObject({
        shopperReference: reference,
        shopperInteraction: 'Ecommerce',
        recurringProcessingModel: 'UnscheduledCardOnFile',
      })
      expect(await bodyOf(later)).toMatchObject({
        shopperReference: reference,
        shopperInteraction: 'ContAuth',
        recurringProcessingModel: 'Subscription',
      })
      const once = await bodyOf({ instrument: { ...stored, mandate: null } })
      expect(once).toMatchObject({ shopperReference: 'a-buyer', shopperInteraction: 'Ecommerce' })
      expect(once).not.toHaveProperty('recurringProcessingModel')
    },
  )

  test.each([
    ['sepa', 'EUR'],
    ['bacs', 'GBP'],
    ['ach', 'USD'],
  ] as const)(
    'a debit is captured at once, also if the account captures by hand: %s',
    async (method, currency) => {
      const byHand = openShop({ isCapturedByHand: true })
      const account = { scheme: method, account_number: 'NL13TEST0123456789', routing_number: '121000358' }
      const instrument = {
        kind: 'bank',
        payload: secret(JSON.stringify(account)),
        mandate: null,
      } as const
      const order = samples.authorizeOrder({ instrument, currency, intent: 'capture' })

      await connectorFor(method).authorize(order, byHand.link)
      await byHand.standIn.control('finish')

      expect(await byHand.standIn.movementsOf(order.attemptId)).toMatchObject([
        { kind: 'AUTHORISATION', isCaptured: true },
      ])
    },
  )

  test.each(['ideal', 'bancontact'])('%s has no delay', async (method) => {
    const { sent } = await sentFor({ instrument: redirect(method), intent: 'capture' }, { method })

    expect(sent.body).not.toHaveProperty('captureDelayHours')
  })

  test('the owner of an account is the one that the options name', async () => {
    const account = {
      scheme: 'sepa',
      account_number: 'NL13TEST0123456789',
      account_holder: { first_name: 'Jane' },
    }
    const instrument = { kind: 'bank', payload: secret(JSON.stringify(account)), mandate: null } as const
    const options = { ownerName: 'chargeback:AM04' }
    const { sent } = await sentFor({ instrument, currency: 'EUR' }, { method: 'sepa', options })

    expect(sent.body['paymentMethod']).toMatchObject({ ownerName: 'chargeback:AM04' })
  })

  test('the mandate that Adyen made is told', async () => {
    const payload = secret(JSON.stringify({ scheme: 'sepa', account_number: 'NL13TEST0123456789' }))
    const { answer } = await sentFor(
      { instrument: { kind: 'bank', payload, mandate: null }, currency: 'EUR' },
      { method: 'sepa' },
    )

    expect(answer).toMatchObject({
      outcome: 'pending',
      facts: { mandate: { signedOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) } },
    })
    if (answer.outcome !== 'pending') throw new Error('the debit is not pending')
    expect(answer.facts.mandate?.reference).toBe(answer.reference)
  })

  test('a buyer without an address to return to is refused', async () => {
    const ideal = { instrument: redirect('ideal'), redirectUrl: null }

    expect(await sentFor(ideal, { method: 'ideal' })).toMatchObject({
      count: 0,
      answer: { outcome: 'failed' },
    })
    expect(await sentFor({ threeDSecure: 'provider', redirectUrl: null })).toMatchObject({ count: 0 })
  })
})

describe('amounts', () => {
  test.each([
    ['EUR', 1299, 1299],
    ['JPY', 500, 500],
    ['KWD', 1234, 1234],
    ['ISK', 1200, 120000],
    ['CLP', 990, 99000],
    ['IDR', 1500000, 15000],
    ['CVE', 12300, 123],
  ])('%s %d is %d at Adyen', async (currency, amount, value) => {
    const { sent, answer } = await sentFor({ currency, amount })

    expect(sent.body['amount']).toEqual({ value, currency })
    expect(answer).toMatchObject({ outcome: 'approved' })
  })

  test('that Adyen cannot state are refused without a request', async () => {
    expect(await sentFor({ currency: 'IDR', amount: 150 })).toMatchObject({
      count: 0,
      answer: { outcome: 'failed', code: 'invalid_amount' },
    })
  })
})

describe('amounts of follow-ups', () => {
  test('that Adyen cannot state are refused without a request', async () => {
    const { capture, refund, increment } = connectorFor('card')
    const { link, sent } = watched()
    const order = samples.authorizeOrder({ currency: 'IDR', amount: 150 })
    const sale = { order, reference: 'ABCDEFGH12345678' }
    const answers = [
      await capture(samples.captureOrder(sale), link),
      await refund(samples.refundOrder(sale), link),
      await increment(samples.incrementOrder(sale, { amount: 1 }), link),
    ]

    for (const answer of answers) expect(answer).toMatchObject({ outcome: 'failed', code: 'invalid_amount' })
    expect(sent).toEqual([])
  })
})

describe('options', () => {
  test('are passed on, and cannot change how money is captured', async () => {
    const options = {
      additionalData: { shelf: 'B12', manualCapture: 'false' },
      riskData: { clientData: 'x' },
      splits: {
        authorization: [{ account: 'A', type: 'Default', amount: { value: 1299 } }],
        capture: null,
        refund: null,
      },
      window_origin: 'https://shop.example.com',
      threeDSRequestorChallengeInd: '04',
    }
    const { sent } = await sentFor(ASKED, { options })

    expect(sent.body).toMatchObject({
      additionalData: { shelf: 'B12', manualCapture: 'true' },
      riskData: { clientData: 'x' },
      splits: [{ account: 'A' }],
      origin: 'https://shop.example.com',
      threeDS2RequestData: { threeDSRequestorChallengeInd: '04' },
    })
  })

  test.each([
    ['autoRescue', { autoRescue: true }],
    ['attemptAuthentication', { attemptAuthentication: 'perhaps' }],
  ])('that cannot be honoured are refused: %s', async (name, options) => {
    const { count, answer } = await sentFor({}, { options })

    expect(count).toBe(0)
    expect(answer).toMatchObject({
      outcome: 'failed',
      code: 'invalid_request_parameters',
      facts: { rawDescription: `connection_options.adyen-card.${name} cannot be used` },
    })
  })
})

describe('follow-ups', () => {
  const { authorize, capture, refund, increment, void: release } = connectorFor('card')

  async function paid() {
    const order = samples.authorizeOrder(CARD_ORDER)
    const answer = await authorize(order, shop.link)
    return { order, reference: answer.outcome === 'approved' ? answer.reference : '' }
  }

  test('have keys and references of their own', async () => {
    const sale = await paid()
    const { link, sent } = watched({ splits: { capture: [{ account: 'A', type: 'Default' }], refund: null } })
    const orders = [samples.captureOrder(sale, { amount: 500 }), samples.voidOrder(sale)] as const
    await capture(orders[0], link)
    await release(orders[1], link)

    expect(sent).toEqual([
      {
        path: `/v71/payments/${sale.reference}/captures`,
        key: orders[0].attemptId,
        body: {
          merchantAccount: 'StandInShop',
          reference: orders[0].attemptId,
          amount: { value: 500, currency: 'USD' },
          splits: [{ account: 'A', type: Types.checkout.Split.TypeEnum.Default }],
        } satisfies Types.checkout.PaymentCaptureRequest,
      },
      {
        path: `/v71/payments/${sale.reference}/cancels`,
        key: orders[1].attemptId,
        body: {
          merchantAccount: 'StandInShop',
          reference: orders[1].attemptId,
        } satisfies Types.checkout.PaymentCancelRequest,
      },
    ])
  })

  test.each([
    [null, undefined],
    ['duplicate', 'DUPLICATE'],
    ['customer_request', 'CUSTOMER REQUEST'],
    ['the colour is wrong', 'OTHER'],
  ])('refund with the reason %s', async (reason, merchantRefundReason) => {
    const sale = await paid()
    const { link, sent } = watched()
    await refund(samples.refundOrder(sale, { reason, captureReference: 'ABCDEFGH12345678' }), link)

    expect(sent[0]?.body['merchantRefundReason']).toBe(merchantRefundReason)
    expect(sent[0]?.body['capturePspReference']).toBe('ABCDEFGH12345678')
  })

  test('of a payment that was captured in one step name no capture', async () => {
    const sale = await paid()
    const { link, sent } = watched()
    await refund(samples.refundOrder(sale, { captureReference: sale.reference }), link)

    expect(sent[0]?.body).not.toHaveProperty('capturePspReference')
  })

  test('raise to the new total', async () => {
    const sale = await paid()
    const { link, sent } = watched()
    await increment(samples.incrementOrder(sale, { amount: 101, authorizedAmount: 1299 }), link)

    expect(sent[0]?.path).toBe(`/v71/payments/${sale.reference}/amountUpdates`)
    expect(sent[0]?.body['amount']).toEqual({ value: 1400, currency: 'USD' } satisfies Types.checkout.Amount)
  })

  test('of what is no reference of Adyen send nothing', async () => {
    const { link, sent } = watched()
    const answer = await capture(samples.captureOrder({ ...(await paid()), reference: '../other' }), link)

    expect(sent).toEqual([])
    expect(answer).toMatchObject({ outcome: 'failed', code: 'unknown_service_resource' })
  })
})

describe('what gives money back before or after a capture', () => {
  const { authorize, cancel, refund } = connectorFor('card')

  async function sold(over: Partial<AuthorizeOrder> = {}) {
    const order = samples.authorizeOrder({ ...CARD_ORDER, intent: 'capture', ...over })
    const answer = await authorize(order, shop.link)
    const reference = 'reference' in answer ? (answer.reference ?? '') : ''
    return { order, reference, captureReference: reference }
  }

  test('a whole refund of a sale in one step is a reversal: Adyen may not have captured it yet', async () => {
    const sale = await sold()
    const { link, sent } = watched()
    const order = samples.refundOrder(sale)
    const answer = await refund(order, link)

    expect(sent).toEqual([
      {
        path: `/v71/payments/${sale.reference}/reversals`,
        key: order.attemptId,
        body: {
          merchantAccount: 'StandInShop',
          reference: order.attemptId,
        } satisfies Types.checkout.PaymentReversalRequest,
      },
    ])
    expect(answer).toMatchObject({ outcome: 'pending' })
  })

  test.each([
    ['a part', { amount: 1 }, {}],
    ['a reason', { reason: 'duplicate' }, {}],
    ['a capture of its own', { captureReference: 'ABCDEFGH12345678' }, {}],
    ['splits', {}, { splits: { refund: [{ account: 'A', type: 'Default' }] } }],
  ])('is a refund with %s', async (_name, over, options) => {
    const sale = await sold()
    const { link, sent } = watched(options)
    await refund(samples.refundOrder(sale, over), link)

    expect(sent[0]?.path).toBe(`/v71/payments/${sale.reference}/refunds`)
  })

  test('other methods are refunded, never reversed', async () => {
    const ideal = connectorFor('ideal')
    const { link, sent } = watched()
    await ideal.refund(samples.refundOrder(await sold()), link)

    expect(sent[0]?.path).toMatch(/refunds$/)
  })

  test('a payment that waits for its bank is cancelled by Adyen’s reference', async () => {
    const waiting = await sold({ billing: contact({ first_name: 'PENDING' }) })
    const { link, sent } = watched()
    const order = samples.cancelOrder(waiting)

    expect(await cancel(order, link)).toMatchObject({ outcome: 'pending' })
    expect(sent[0]).toEqual({
      path: `/v71/payments/${waiting.reference}/cancels`,
      key: order.attemptId,
      body: {
        merchantAccount: 'StandInShop',
        reference: order.attemptId,
      } satisfies Types.checkout.PaymentCancelRequest,
    })
  })

  test('a payment without a reference of Adyen is not cancelled', async () => {
    const { link, sent } = watched()
    const order = samples.cancelOrder(await sold(), { reference: null })

    expect(await cancel(order, link)).toMatchObject({ outcome: 'failed', code: 'unknown_service_resource' })
    expect(sent).toEqual([])
  })
})

describe('tokens of Adyen', () => {
  const { tokenize, forgetToken } = connectorFor('card')
  const card = samples.card({ securityCode: secret('737') })

  async function stored() {
    const order = samples.tokenizeOrder({ instrument: card })
    const answer = await tokenize(order, shop.link)
    if (answer.outcome !== 'approved' || !answer.token) throw new Error('Adyen gave no token')
    const token = answer.token.value
    const [shopperReference, id] = token.use(String).split(':')
    return { order, token, shopperReference, id }
  }
  const paying = (token: ReturnType<typeof secret>, securityCode = null as typeof token | null) =>
    ({ kind: 'provider-token', method: 'card', token, securityCode }) as const

  test('are made without a payment, for a shopper of their own', async () => {
    const { link, sent } = watched()
    const order = samples.tokenizeOrder({ instrument: card })
    const answer = await tokenize(order, link)

    const body = {
      merchantAccount: 'StandInShop',
      shopperReference: order.tokenId,
      recurringProcessingModel:
        Types.checkout.StoredPaymentMethodRequest.RecurringProcessingModelEnum.CardOnFile,
      paymentMethod: {
        type: 'scheme',
        number: samples.CARD_NUMBER,
        expiryMonth: '12',
        expiryYear: '2035',
        cvc: '737',
      },
    } satisfies Types.checkout.StoredPaymentMethodRequest
    expect(sent).toEqual([{ path: '/v71/storedPaymentMethods', key: order.attemptId, body }])
    expect(answer).toMatchObject({ outcome: 'approved', reference: order.tokenId, token: { label: null } })
  })

  test('pay with their shopper, as a card on file', async () => {
    const { token, shopperReference, id } = await stored()
    const buyer = { id: 'another-buyer', ipAddress: null, locale: null }
    const { sent, answer } = await sentFor({ instrument: paying(token, secret('737')), buyer })

    expect(sent.body).toMatchObject({
      shopperReference,
      shopperInteraction: PaymentRequest.ShopperInteractionEnum.ContAuth,
      recurringProcessingModel: PaymentRequest.RecurringProcessingModelEnum.CardOnFile,
    })
    expect(sent.body['paymentMethod']).toEqual({
      type: CardDetails.TypeEnum.Scheme,
      storedPaymentMethodId: id as string,
      cvc: '737',
    } satisfies Types.checkout.CardDetails)
    expect(answer.outcome).toBe('approved')
  })

  test('pay without their buyer, and without a code', async () => {
    const { token } = await stored()
    const { sent } = await sentFor({
      instrument: paying(token, secret('737')),
      isMerchantInitiated: true,
      isSubsequentPayment: true,
      paymentSource: 'recurring',
      previousSchemeTransactionId: '060111111111111',
    })

    expect(sent.body['recurringProcessingModel']).toBe('Subscription')
    expect(Object.keys(sent.body['paymentMethod'] as object)).toEqual(['type', 'storedPaymentMethodId'])
  })

  test('of another shopper pay nothing', async () => {
    const [one, other] = [await stored(), await stored()]
    const mixed = secret(`${one.shopperReference}:${other.id}`)

    expect((await sentFor({ instrument: paying(mixed) })).answer).toMatchObject({
      outcome: 'failed',
      code: 'unavailable_payment_method',
      facts: { rawCode: '803' },
    })
  })

  test.each(['', 'x', '../storedPaymentMethods/other', 'a:b'])(
    'that are none send nothing: %o',
    async (text) => {
      const { link, sent } = watched()

      expect(await forgetToken(samples.forgetTokenOrder(secret(text)), link)).toMatchObject({
        outcome: 'failed',
        code: 'unknown_service_resource',
      })
      expect(sent).toEqual([])
      expect(await sentFor({ instrument: paying(secret(text)) })).toMatchObject({
        count: 0,
        answer: { code: 'unavailable_payment_method' },
      })
    },
  )

  test('are made of numbers only', async () => {
    const instrument = { kind: 'redirect', method: 'ideal', country: 'NL', currency: 'EUR' } as const

    expect(await tokenize(samples.tokenizeOrder({ instrument }), shop.link)).toMatchObject({
      outcome: 'failed',
      code: 'unsupported_payment_method',
    })
  })

  test('are deleted once, and stay deleted', async () => {
    const { token } = await stored()
    const answers = [
      await forgetToken(samples.forgetTokenOrder(token), shop.link),
      await forgetToken(samples.forgetTokenOrder(token), shop.link),
    ]

    expect(answers).toMatchObject([
      { outcome: 'approved', facts: { rawCode: '204' } },
      { outcome: 'approved', facts: { rawCode: '800' } },
    ])
  })

  test.each([
    [401, '000', 'invalid_service_credentials'],
    [403, '010', 'insufficient_service_permissions'],
  ])('are kept at Adyen when it answers %d', async (status, errorCode, code) => {
    const { token } = await stored()
    const body = { status, errorCode, errorType: 'security', message: 'no' }
    const link = { ...shop.link, fetch: async () => Response.json(body, { status }) }

    expect(await forgetToken(samples.forgetTokenOrder(token), link)).toMatchObject({
      outcome: 'failed',
      code,
    })
  })
})

describe('addresses', () => {
  async function urlFor(environment: Link['environment'], fields: Record<string, string>) {
    const urls: string[] = []
    const link = samples.testLink({
      environment,
      fields: { ...shop.link.fields, ...fields },
      fetch: async (url) => {
        urls.push(url)
        throw new TypeError('fetch failed')
      },
    })
    const answer = await connectorFor('card').authorize(samples.authorizeOrder(CARD_ORDER), link)
    return { url: urls[0] ?? null, answer }
  }

  test.each([
    ['sandbox', {}, 'https://checkout-test.adyen.com/v71/payments'],
    ['sandbox', { live_url_prefix: 'abc-Shop' }, 'https://checkout-test.adyen.com/v71/payments'],
    ['sandbox', { stand_in_url: 'http://127.0.0.1:4010/' }, 'http://127.0.0.1:4010/v71/payments'],
    [
      'production',
      { live_url_prefix: '1797a841-Shop', stand_in_url: 'http://127.0.0.1:4010' },
      'https://1797a841-Shop-checkout-live.adyenpayments.com/checkout/v71/payments',
    ],
  ] as const)('in %s with %o', async (environment, fields, url) => {
    expect((await urlFor(environment, fields)).url).toBe(url)
  })

  test.each(['', 'evil.example.com/', 'a@b'])(
    'in production, the prefix %o sends nothing',
    async (live_url_prefix) => {
      expect(await urlFor('production', { live_url_prefix })).toMatchObject({
        url: null,
        answer: { outcome: 'failed', code: 'invalid_service_configuration' },
      })
    },
  )
})
