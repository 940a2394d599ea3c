import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { mockCard } from '#sandbox/connectors/mock-card/connector.ts'
import { MISSING } from '#testing/answers.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { order } from '#testing/till.ts'

const ADDRESS = { line1: '12 Byron Square', city: 'London', postal_code: 'N1 9GU', country: 'GB' }
const REST_OF_ADDRESS = {
  state: null,
  state_code: null,
  house_number_or_name: null,
  line2: null,
  organization: null,
}
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
})
afterAll(() => service.close())
afterEach(() => vi.restoreAllMocks())

const pay = (body?: object) => order(service, body)
const read = (id: string, options = {}) => service.send(`GET /transactions/${id}`, undefined, options)
/** What the connector received. */
const orders = () => {
  const spy = vi.spyOn(mockCard, 'authorize')
  return () => spy.mock.calls.map(([order]) => order)
}

describe('an order comes back as it was sent', () => {
  const CART_ITEM = {
    name: 'Canvas bag',
    quantity: 2,
    unit_amount: 1299,
    discount_amount: 100,
    tax_amount: 200,
    external_identifier: 'item-1',
    sku: 'C1',
    upc: '012345678905',
    product_url: 'https://shop.example.com/bag',
    image_url: 'https://shop.example.com/bag.png',
    categories: ['bags', 'sale'],
    product_type: 'physical',
    seller_country: 'GB',
    tax_exempt: false,
    unit_of_measure: 'piece',
    commodity_code: '4202',
    description: 'Blue',
    duty_amount: 5,
    shipping_amount: 6,
  }
  const LEG = {
    arrival_airport: 'LHR',
    arrival_at: '2030-07-09T12:00:00Z',
    arrival_city: 'London',
    arrival_country: 'GB',
    carrier_code: 'BA',
    carrier_name: 'Air',
    iata_designator: 'BA',
    icao_code: 'BAW',
    coupon_number: '1',
    departure_airport: 'JFK',
    departure_at: '2030-07-09T02:00:00Z',
    departure_city: 'New York',
    departure_country: 'US',
    departure_tax_amount: 1,
    fare_amount: 2,
    fare_basis_code: 'FL',
    fee_amount: 3,
    flight_class: 'E',
    flight_number: '101',
    route_type: 'one_way',
    seat_class: 'F',
    stop_over: false,
    tax_amount: 4,
  }
  const PASSENGER = {
    age_group: 'adult',
    date_of_birth: '1985-05-04',
    email_address: 'ada@example.com',
    first_name: 'Ada',
    frequent_flyer_number: '15885566',
    last_name: 'Lovelace',
    passport_number: '11117700225',
    phone_number: '+14155550132',
    ticket_number: 'BA1236699999',
    title: 'Mrs.',
    country_code: 'GB',
  }
  const AIRLINE = {
    booking_code: 'X36Q9C',
    is_cardholder_traveling: true,
    issued_address: '123 Broadway, New York',
    issued_at: '2030-07-08T02:00:00Z',
    issuing_carrier_code: 'BA',
    issuing_carrier_name: 'Air',
    issuing_iata_designator: 'BA',
    issuing_icao_code: 'BAW',
    legs: [LEG],
    passenger_name_record: 'JOHN',
    passengers: [PASSENGER],
    reservation_system: 'Amadeus',
    restricted_ticket: false,
    ticket_delivery_method: 'other',
    ticket_number: '123-1234-151555',
    travel_agency_code: '12345',
    travel_agency_invoice_number: 'EG1',
    travel_agency_name: 'ACME',
    travel_agency_plan_name: 'B733',
  }
  const STATEMENT = {
    name: 'FASHION STORE',
    description: 'Canvas bags',
    city: 'London',
    country: 'GB',
    phone_number: '+14155550132',
    url: 'www.shop.example.com',
    postal_code: 'N1 9GU',
  }
  const RECIPIENT = {
    first_name: 'Charles',
    last_name: 'Babbage',
    account_number: '4711',
    date_of_birth: '1791-12-26',
  }
  const SALE = {
    installment_count: 3,
    tax_amount: 100,
    amount_includes_tax: true,
    merchant_tax_id: 'DE123',
    purchase_order_number: 'P1',
    customer_reference_number: 'C1',
    supplier_order_number: 'S1',
    duty_amount: 7,
    shipping_amount: 8,
  }
  const WHOLE = {
    external_identifier: 'order-1',
    metadata: { order: '4711', 'two words': 'ü' },
    cart_items: [CART_ITEM],
    airline: AIRLINE,
    statement_descriptor: STATEMENT,
    account_funding_transaction: true,
    ...SALE,
  }

  test('all of it', async () => {
    const response = await pay({ ...WHOLE, recipient: { ...RECIPIENT, address: ADDRESS } })

    expect(response.statusCode, response.body).toBe(201)
    const transaction = response.json()
    expect(transaction).toMatchObject({
      ...WHOLE,
      recipient: { ...RECIPIENT, address: { ...ADDRESS, ...REST_OF_ADDRESS } },
    })
    expect((await read(transaction.id)).json()).toEqual(transaction)
  })

  test('with null where nothing was sent', async () => {
    const transaction = (
      await pay({
        cart_items: [{ name: 'Bag', quantity: 1, unit_amount: 5 }],
        airline: { legs: [{}], passengers: [{}] },
        statement_descriptor: {},
        recipient: { first_name: 'Charles', last_name: 'Babbage' },
      })
    ).json()

    const nulls = (given: object) => Object.fromEntries(Object.keys(given).map((name) => [name, null]))
    expect(transaction).toMatchObject({
      cart_items: [
        { ...nulls(CART_ITEM), name: 'Bag', quantity: 1, unit_amount: 5, discount_amount: 0, tax_amount: 0 },
      ],
      airline: {
        ...nulls(AIRLINE),
        legs: [nulls(LEG)],
        passengers: [nulls(PASSENGER)],
        ticket_delivery_method: 'electronic',
      },
      statement_descriptor: nulls(STATEMENT),
      recipient: { ...nulls(RECIPIENT), first_name: 'Charles', last_name: 'Babbage', address: null },
    })
  })

  test('and with null for objects that were left out', async () => {
    const transaction = (await pay()).json()

    expect(transaction).toMatchObject({
      external_identifier: null,
      country: null,
      metadata: null,
      cart_items: null,
      airline: null,
      statement_descriptor: null,
      recipient: null,
      buyer: null,
      shipping_details: null,
      three_d_secure: null,
      checkout_session_id: null,
      account_funding_transaction: false,
      multi_tender: false,
      gift_card_redemptions: [],
      ...Object.fromEntries(Object.keys(SALE).map((name) => [name, null])),
    })
  })

  test('and the connector receives all of it', async () => {
    const asked = orders()
    const browser_info = {
      javascript_enabled: true,
      java_enabled: false,
      language: 'en-GB',
      color_depth: 24,
      screen_height: 1080,
      screen_width: 1920,
      time_zone_offset: -60,
      user_agent: 'Mozilla/5.0',
      user_device: 'desktop',
    }
    const more = {
      description: 'Bags',
      browser_info,
      anti_fraud_fingerprint: 'print',
      integration_client: 'web',
    }

    const { id, reconciliation_id } = (await pay({ ...WHOLE, ...more, country: 'GB' })).json()

    const { external_identifier: _, metadata: __, ...details } = WHOLE
    expect(asked()).toMatchObject([
      {
        transactionId: id,
        reconciliationId: reconciliation_id,
        amount: 1299,
        currency: 'USD',
        country: 'GB',
        intent: 'authorize',
        paymentSource: 'ecommerce',
        isPartialAllowed: false,
        details: { ...details, ...more },
      },
    ])
  })
})

describe('an authentication outside of this service', () => {
  const V1 = {
    cavv: 'AAABBJkZUQAAAABjRWWZEEFgFz8=',
    eci: '05',
    version: '1.0.2',
    directory_response: 'Y',
    authentication_response: 'Y',
    cavv_algorithm: '2',
    xid: 'MDAwMDAwMDAwMDAwMDAwMzIyNzY=',
  }
  const V2 = {
    cavv: 'AJkBAycVKQAAAAJZQFF3dAAAAAA=',
    eci: '05',
    version: '2.2.0',
    directory_response: 'C',
    authentication_response: 'Y',
    directory_transaction_id: 'c4e59ceb-a382-4d6a-bc87-385d591fa09d',
  }

  test.each([
    ['1', V1, { ...V1, scheme: null }, V1.xid],
    ['2', V2, { ...V2, transaction_reason: null, cardholder_info: null }, V2.directory_transaction_id],
  ])('with version %s is shown and passed on', async (_version, given, shown, directoryTransactionId) => {
    const asked = orders()

    const response = await pay({ three_d_secure_data: given })

    expect(response.statusCode, response.body).toBe(201)
    expect(response.json()).toMatchObject({ status: 'authorization_succeeded' })
    expect(response.json().three_d_secure).toEqual({
      version: given.version,
      status: 'complete',
      method: null,
      response_data: shown,
      error_data: null,
      amount: 1299,
    })
    expect(asked()).toMatchObject([
      {
        threeDSecure: {
          version: given.version,
          eci: '05',
          cavv: given.cavv,
          directoryTransactionId,
          directoryResponse: given.directory_response,
          authenticationResponse: 'Y',
        },
      },
    ])
  })

  test('may be for another amount', async () => {
    const response = await pay({ three_d_secure_data: V2, three_d_secure: { amount: 5000 } })

    expect(response.json()).toMatchObject({ amount: 1299, three_d_secure: { amount: 5000 } })
  })
})

describe('a transaction', () => {
  test('shows its id in base 62', async () => {
    const { id, reconciliation_id } = (await pay()).json()

    let value = 0n
    for (const digit of reconciliation_id) value = value * 62n + BigInt(DIGITS.indexOf(digit))

    expect(reconciliation_id).toMatch(/^[0-9A-Za-z]{22}$/)
    expect(value).toBe(BigInt(`0x${id.replaceAll('-', '')}`))
    const found = await service.send(`GET /transactions?reconciliation_id=${reconciliation_id}`)
    expect(found.json().items).toMatchObject([{ id }])
  })

  test('was created when its id was made', async () => {
    const before = Date.now()

    const { created_at, updated_at } = (await pay()).json()

    expect(Date.parse(created_at)).toBeGreaterThanOrEqual(before - 1_000)
    expect(Date.parse(updated_at)).toBeGreaterThanOrEqual(Date.parse(created_at))
  })

  test('is found only in its own account, with HEAD, too', async () => {
    const { id } = (await pay()).json()

    expect((await read(id)).statusCode).toBe(200)
    expect((await service.send(`HEAD /transactions/${id}`)).statusCode).toBe(200)
    expect((await read(id, { account: 'other' })).statusCode).toBe(404)
    expect((await read(MISSING)).statusCode).toBe(404)
    expect((await read('not-an-id')).statusCode).toBe(400)
    const events = await service.send(`GET /transactions/${id}/events`, undefined, { account: 'other' })
    expect(events.statusCode).toBe(404)
  })

  test('shows less in a list', async () => {
    const transaction = (await pay({ external_identifier: 'listed', metadata: { a: 'b' } })).json()

    const { items } = (await service.send('GET /transactions?external_identifier=listed')).json()

    const [summary] = items
    for (const name of Object.keys(summary)) expect(summary[name], name).toEqual(transaction[name])
    expect(summary).not.toHaveProperty('metadata')
    expect(summary).toMatchObject({ status: 'authorization_succeeded', payment_method: { label: '1111' } })
  })

  test('shows the name of a deleted service', async () => {
    const { id } = (
      await service.send('POST /payment-services', {
        display_name: 'Soon gone',
        payment_service_definition_id: 'mock-card',
        fields: [{ key: 'merchant_id', value: 'gone' }],
        accepted_currencies: ['USD'],
        accepted_countries: ['US'],
      })
    ).json()
    const transaction = (await pay({ payment_service_id: id })).json()
    await service.send(`DELETE /payment-services/${id}`)

    expect((await read(transaction.id)).json().payment_service).toEqual({
      type: 'payment-service',
      id,
      payment_service_definition_id: 'mock-card',
      method: 'card',
      display_name: 'Soon gone',
    })
  })
})
