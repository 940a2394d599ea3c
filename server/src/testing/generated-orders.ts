import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AccountUpdaterConnector } from '#connectors/contract/account-updater.ts'
import type { DisputeAnswers, Evidence } from '#connectors/contract/answer-dispute.ts'
import type { AntiFraudConnector, OutcomeOrder } from '#connectors/contract/anti-fraud.ts'
import { type Connector, DISPUTE_STAGES, type Link } from '#connectors/contract/connector.ts'
import type { NetworkTokenConnector } from '#connectors/contract/network-token.ts'
import type { AuthorizeOrder, Contact, Instrument } from '#connectors/contract/orders.ts'
import type { SaleDetails } from '#connectors/contract/sale-details.ts'
import * as samples from '#connectors/contract/samples.ts'
import { secret } from '#connectors/contract/secret.ts'
import { FILE_NAME } from '#resources/disputes/schemas.ts'
import { ASKED, type Outside, payAndFollow } from './follow-order.ts'

/** The same orders in every run. */
const SEED = 20_261_119
const RUNS = 120

/** Any text that the API takes, most of it short. */
const text = (maxLength: number, minLength = 1) =>
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc
        .string({ minLength, maxLength, unit: 'grapheme' })
        .map((one) => [...one].slice(0, maxLength).join('')),
    },
    {
      weight: 1,
      arbitrary: fc.stringMatching(/^[A-Za-z0-9 .-]+$/).map((one) => [...one].slice(0, maxLength).join('')),
    },
    // As long as may be.
    {
      weight: 1,
      arbitrary: fc
        .constantFrom('a', 'é', '0', '寿', 'a😀')
        .map((letter) => [...letter.repeat(maxLength)].slice(0, maxLength).join('')),
    },
  )
const orNull = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: null })
const AMOUNT = fc.oneof(
  fc.integer({ min: 0, max: 99_999_999 }),
  fc.integer({ min: 0, max: 9_999 }).map((one) => one * 100),
)

const ADDRESS = fc.record({
  line1: orNull(text(255)),
  line2: orNull(text(255)),
  house_number_or_name: orNull(text(255)),
  city: orNull(text(100)),
  country: orNull(fc.constantFrom('US', 'CA', 'DE', 'GB', 'NL', 'JP')),
  postal_code: orNull(text(50)),
  state: orNull(text(255)),
  state_code: orNull(fc.constantFrom('US-CA', 'CA-ON', 'DE-BE')),
  organization: orNull(text(255)),
})

/** All that a method may ask of its buyer. */
const KNOWN = fc.record({
  first_name: text(255),
  last_name: text(255),
  email_address: fc.emailAddress(),
  phone_number: fc.stringMatching(/^\+[1-9]\d{6,13}$/),
  tax_id: fc.record({ kind: fc.constantFrom('br.cpf', 'br.cnpj'), value: fc.stringMatching(/^\d{11}$/) }),
  address: fc.record({
    line1: text(255),
    line2: orNull(text(255)),
    house_number_or_name: orNull(text(255)),
    city: text(100),
    country: fc.constantFrom('US', 'CA', 'DE', 'GB', 'NL', 'JP'),
    postal_code: text(50),
    state: orNull(text(255)),
    state_code: orNull(fc.constantFrom('US-CA', 'CA-ON', 'DE-BE')),
    organization: orNull(text(255)),
  }),
})

const CONTACT: fc.Arbitrary<Contact> = fc.record({
  first_name: orNull(text(255)),
  last_name: orNull(text(255)),
  email_address: orNull(
    fc.oneof(fc.emailAddress(), fc.constant(`${'x'.repeat(300)}@example.com`), fc.constant('a@b')),
  ),
  phone_number: orNull(fc.stringMatching(/^\+[1-9]\d{6,13}$/)),
  address: orNull(ADDRESS),
})

const ITEM = fc.record({
  name: text(255),
  quantity: fc.integer({ min: 1, max: 99_999_999 }),
  unit_amount: AMOUNT,
  discount_amount: orNull(AMOUNT),
  tax_amount: orNull(AMOUNT),
  external_identifier: orNull(text(200)),
  sku: orNull(text(200)),
  unit_of_measure: orNull(text(50)),
  commodity_code: orNull(text(50)),
  description: orNull(text(2_048)),
})

const BROWSER = fc.record({
  javascript_enabled: fc.boolean(),
  java_enabled: fc.boolean(),
  language: fc.constantFrom('en', 'de-DE'),
  color_depth: fc.constantFrom(24, 32),
  screen_height: fc.nat(9_999),
  screen_width: fc.nat(9_999),
  time_zone_offset: fc.integer({ min: -720, max: 840 }),
  user_agent: text(500),
  user_device: fc.constantFrom('desktop' as const, 'mobile' as const),
})

const MOMENT = fc.constantFrom('2026-12-24T10:05:00Z', '2026-12-24T10:05:00+01:00')
const CODE = (length: number) => fc.stringMatching(/^[A-Z0-9]{3}$/).map((one) => one.slice(0, length))
const AIRLINE = fc.record(
  {
    booking_code: text(50),
    issued_address: text(255),
    issued_at: MOMENT,
    issuing_carrier_code: CODE(3),
    issuing_iata_designator: CODE(2),
    passenger_name_record: text(50),
    reservation_system: text(200),
    restricted_ticket: fc.boolean(),
    ticket_delivery_method: fc.constantFrom('electronic' as const, 'other' as const),
    ticket_number: text(50),
    travel_agency_code: text(50),
    travel_agency_invoice_number: text(50),
    travel_agency_name: text(200),
    travel_agency_plan_name: orNull(text(200)),
    legs: fc.array(
      fc.record(
        {
          arrival_airport: CODE(3),
          arrival_at: MOMENT,
          carrier_code: CODE(2),
          departure_airport: CODE(3),
          departure_at: MOMENT,
          departure_tax_amount: AMOUNT,
          fare_basis_code: text(8),
          flight_class: text(5),
          flight_number: text(6, 3),
          stop_over: fc.boolean(),
        },
        { requiredKeys: ['arrival_airport', 'carrier_code', 'departure_airport'] },
      ),
      { maxLength: 3 },
    ),
    passengers: fc.array(
      fc.record(
        {
          age_group: fc.constantFrom('adult' as const, 'infant' as const),
          date_of_birth: fc.constant('1990-02-28'),
          first_name: text(255),
          last_name: text(255),
          phone_number: fc.constant('+31201234567'),
          title: text(50),
          country_code: fc.constant('NL'),
        },
        { requiredKeys: ['first_name', 'last_name'] },
      ),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: [] },
)

const DETAILS: fc.Arbitrary<SaleDetails> = fc.record(
  {
    airline: AIRLINE,
    account_funding_transaction: fc.boolean(),
    recipient: fc.record({
      first_name: text(255),
      last_name: text(255),
      account_number: orNull(text(100)),
      date_of_birth: orNull(fc.constant('1990-02-28')),
      address: orNull(ADDRESS),
    }),
    description: text(2_048),
    cart_items: fc.array(ITEM, { maxLength: 4 }),
    statement_descriptor: fc.record({ name: orNull(text(22, 5)), city: orNull(text(50)) }),
    browser_info: BROWSER,
    installment_count: fc.integer({ min: 2, max: 99 }),
    tax_amount: AMOUNT,
    shipping_amount: AMOUNT,
    duty_amount: AMOUNT,
    purchase_order_number: text(200),
    customer_reference_number: text(200),
  },
  { requiredKeys: [] },
)

const AUTHENTICATED = fc.record({
  version: fc.constantFrom('1.0.2', '2.1.0', '2.2.0'),
  eci: orNull(fc.constantFrom('05', '5', '07')),
  cavv: orNull(fc.constant('3q2+78r+ur7erb7vyv66vv////8=')),
  directoryTransactionId: orNull(fc.uuid()),
  directoryResponse: orNull(fc.constantFrom('Y', 'A', 'C')),
  authenticationResponse: orNull(fc.constantFrom('Y', 'N')),
  xid: orNull(fc.constant('MDAwMDAwMDAwMDAwMDAwMzIyNzY=')),
  cavvAlgorithm: orNull(fc.constant('2')),
})

/** Whatever the API accepts of a payment, beside how it is paid. */
const ORDER = fc.record({
  amount: AMOUNT,
  country: orNull(fc.constantFrom('US', 'DE', 'NL')),
  billing: orNull(CONTACT),
  shipping: orNull(CONTACT),
  paymentSource: fc.constantFrom('ecommerce', 'moto', 'recurring', 'installment', 'card_on_file'),
  isMerchantInitiated: fc.boolean(),
  isSubsequentPayment: fc.boolean(),
  previousSchemeTransactionId: orNull(fc.stringMatching(/^[A-Z0-9]{1,36}$/)),
  previousTransactionLinkId: orNull(fc.stringMatching(/^[A-Za-z0-9]{1,64}$/)),
  buyer: fc.record({
    id: orNull(fc.uuid()),
    ipAddress: orNull(fc.oneof(fc.ipV4(), fc.ipV6())),
    locale: orNull(fc.constantFrom('en', 'de-DE', 'pt-BR')),
  }),
  redirectUrl: orNull(fc.constant('https://switchyard.example.com/return/attempt')),
  details: DETAILS,
})

/** What a payout may say beside the card. */
const PAYOUT = fc.record({
  amount: fc.oneof(
    fc.integer({ min: 1, max: 99_999_999 }),
    fc.integer({ min: 1, max: 9_999 }).map((one) => one * 100),
  ),
  billing: orNull(CONTACT),
  category: orNull(fc.constant('online_gambling' as const)),
  externalIdentifier: orNull(text(200)),
  merchant: orNull(
    fc.record({
      name: text(255),
      identification_number: text(200),
      phone_number: fc.stringMatching(/^\+[1-9]\d{6,13}$/),
      url: fc.webUrl(),
      statement_descriptor: text(22, 5),
      merchant_category_code: fc.stringMatching(/^\d{4}$/),
      address: orNull(ADDRESS),
    }),
  ),
})

const JUDGED_BUYER = fc.record({
  id: orNull(fc.uuid()),
  externalIdentifier: orNull(text(200)),
  emailAddress: orNull(fc.oneof(fc.emailAddress(), fc.constant(`${'x'.repeat(300)}@example.com`))),
  phoneNumber: orNull(fc.stringMatching(/^\+[1-9]\d{6,13}$/)),
  firstName: orNull(text(255)),
  lastName: orNull(text(255)),
  country: orNull(fc.constantFrom('US', 'CA', 'DE', 'GB', 'NL', 'JP')),
  address: orNull(
    fc.record({
      line1: orNull(text(255)),
      line2: orNull(text(255)),
      city: orNull(text(100)),
      state: orNull(text(255)),
      postalCode: orNull(text(50)),
    }),
  ),
})

/** What an anti-fraud service may hear of a payment before it, and after it. */
const JUDGED = fc.record({
  transactionId: fc.uuid(),
  amount: AMOUNT,
  money: fc.constantFrom(
    { currency: 'USD', minorUnits: 2 },
    { currency: 'JPY', minorUnits: 0 },
    { currency: 'KWD', minorUnits: 3 },
  ),
  country: orNull(fc.constantFrom('US', 'NL')),
  intent: fc.constantFrom('authorize' as const, 'capture' as const),
  paymentSource: fc.constantFrom('ecommerce', 'moto', 'recurring'),
  isMerchantInitiated: fc.boolean(),
  isSubsequentPayment: fc.boolean(),
  ipAddress: orNull(fc.oneof(fc.ipV4(), fc.ipV6())),
  fingerprint: orNull(fc.stringMatching(/^[0-9a-f]{32}$/)),
  method: fc.constantFrom('card', 'ideal', 'paypal', 'gift-card', 'ach', 'applepay', 'klarna'),
  scheme: orNull(fc.constant('visa')),
  bin: orNull(fc.constantFrom('411111', '41111111')),
  cardCountry: orNull(fc.constant('US')),
  buyer: orNull(JUDGED_BUYER),
  metadata: fc.constant(null),
  told: fc.oneof(
    fc.record({
      about: fc.constant('payment' as const),
      status: fc.constantFrom('authorized', 'captured', 'declined', 'failed', 'voided'),
      isSale: fc.boolean(),
      amount: AMOUNT,
      code: orNull(fc.constantFrom('insufficient_funds', 'suspected_fraud', 'service_error')),
      isRejected: fc.boolean(),
    }),
    fc.record({ about: fc.constant('review' as const), decision: fc.constant('accept' as const) }),
    fc.record({
      about: fc.constant('refund' as const),
      refundId: fc.uuid(),
      amount: AMOUNT,
      reason: orNull(text(100)),
    }),
    fc.record({
      about: fc.constant('dispute' as const),
      stage: fc.constantFrom(...DISPUTE_STAGES),
      amount: AMOUNT,
      reason: orNull(text(100)),
    }),
  ),
})

/** Random payments that an anti-fraud service judges and hears of, and each request compared with the contract. */
export function describeJudged(
  { manifest, decide, tell }: AntiFraudConnector,
  given: Pick<Generated, 'open' | 'watch'>,
): void {
  test(`whatever the payment says, ${manifest.id} sends what the published contract has`, async () => {
    await sendMany(given, JUDGED, async ({ money, told: outcome, ...over }, link) => {
      const order = { ...over, ...money }
      await decide(order, link)
      await tell?.({ ...order, eventId: randomUUID(), outcome } as OutcomeOrder, link)
    })
  }, 60_000)
}

/** Stand-ins decide by the ninth to twelfth digit: whether there is a token, now or later, and what is newer. */
const CARD = fc.record({
  number: fc
    .constantFrom('4111111111111111', '4111111100211112', '4111111100231110', '4111111100011116')
    .map(secret),
  scheme: fc.constant('visa' as const),
  expirationDate: fc
    .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 26, max: 99 }))
    .map(([month, year]) => `${String(month).padStart(2, '0')}/${year}`),
})

const PROVISIONED = fc.record({
  card: CARD,
  attemptId: fc.uuid(),
  clientReference: fc.uuid(),
  securityCode: orNull(fc.stringMatching(/^\d{3,4}$/).map(secret)),
  cardholderName: orNull(text(255)),
  isMerchantInitiated: fc.boolean(),
  isSubsequentPayment: fc.boolean(),
})

/** Random cards that get tokens, which prove payments and are deleted, and each request compared with the contract. */
export function describeGeneratedTokens(
  { manifest, provision, makeCryptogram, change }: NetworkTokenConnector,
  given: Pick<Generated, 'open' | 'watch'>,
): void {
  test(`whatever the card, ${manifest.id} sends what the published contract has`, async () => {
    await sendMany(given, PROVISIONED, async ({ card, ...more }, link) => {
      const order = { ...card, ...more, requestor: null, reference: null }
      const made = await provision(order, link)
      if (!('reference' in made) || made.reference === null) return
      const token = { requestor: null, reference: made.reference }
      if (made.outcome === 'pending') await provision({ ...order, ...token }, link)
      await makeCryptogram({ ...more, ...token, scheme: card.scheme }, link)
      await change({ ...token, attemptId: randomUUID(), operation: 'delete' }, link)
    })
  }, 60_000)
}

/** Random cards of which an updater is asked, and each request compared with the contract. */
export function describeGeneratedUpdates(
  { manifest, findUpdate }: AccountUpdaterConnector,
  given: Pick<Generated, 'open' | 'watch'>,
): void {
  test(`whatever the card, ${manifest.id} sends what the published contract has`, async () => {
    await sendMany(given, CARD, async (card, link) => {
      await findUpdate({ ...card, inquiryId: randomUUID() }, link)
    })
  }, 60_000)
}

/** What each follow-up may say beside its payment, and what becomes of it. */
const FOLLOW_UP = fc.record({
  part: fc.double({ min: 0, max: 1, noNaN: true }),
  reason: orNull(text(100)),
  isFinal: fc.boolean(),
  isLost: fc.boolean(),
  isStored: fc.nat(3).map((one) => one === 0),
  decision: fc.constantFrom('approve' as const, 'refuse' as const, null),
  invented: orNull(
    fc.dictionary(
      fc.constantFrom('redirectResult', 'payload', 'token', 'PayerID', 'cko-session-id', 'payment_intent'),
      text(2_048),
    ),
  ),
})

/** What the API takes as an answer to a dispute. */
function answersTo({ texts, files, contentTypes }: DisputeAnswers) {
  const file = fc.record({
    fileName: text(200).filter((name) => new RegExp(FILE_NAME).test(name)),
    contentType: fc.constantFrom(...contentTypes),
    content: fc.uint8Array({ minLength: 1, maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
  })
  const written = fc
    .constantFrom(...Object.entries(texts))
    .chain(([name, max]) => text(max).map((words): Evidence => ({ name, text: words })))
  const named = fc
    .record({ name: fc.constantFrom(...(files.length > 0 ? files : [''])), file })
    .map(({ name, file: one }) => ({ name, ...one }))
  const evidence = fc.uniqueArray(files.length > 0 ? fc.oneof(written, named) : written, {
    selector: ({ name }) => name,
    minLength: 1,
    maxLength: 5,
  })
  return fc.record({ act: fc.constantFrom('accept' as const, 'defend' as const), evidence, file })
}

type Fetch = Link['fetch']
type Complain = (problems: readonly string[]) => void
/** The same `fetch`, which tells of each exchange what does not fit the published contract. */
export type Watch = (fetch: Fetch, options?: { readonly complain?: Complain }) => Fetch
type Generated = Outside & {
  /** A link to a stand-in. */
  readonly open: () => Link
  readonly watch: Watch
  /** How the buyer pays, where it is not by redirect. */
  readonly instruments: readonly Instrument[]
  /** The method asks much of its buyer: most orders have it. */
  readonly isBuyerKnown?: boolean
}

const REDIRECT = { kind: 'redirect', currency: 'EUR' } as const

/** Random orders, all that follows from them, and each request compared with the contract. */
export function describeGenerated(connector: Connector, given: Generated): void {
  const {
    id,
    method,
    mode,
    countries,
    currencies,
    capabilities,
    buyerFields = [],
    disputeAnswers,
  } = connector.manifest
  const [country = ''] = countries === 'all' ? ['NL'] : countries
  const known = fc.record({ billing: KNOWN, shipping: KNOWN })
  const order = fc.record({
    over: ORDER,
    buyer: given.isBuyerKnown ? fc.option(known, { nil: {}, freq: 4 }) : fc.constant({}),
    instrument: fc.constantFrom(
      ...(mode === 'redirect'
        ? [{ ...REDIRECT, method, country, fields: samples.enteredFor(buyerFields) }]
        : given.instruments),
    ),
    currency: fc.constantFrom(
      ...(currencies === 'all' ? ['USD', 'EUR', 'JPY', 'KWD', 'HUF', 'IDR', 'CLP'] : currencies),
    ),
    intent: fc.constantFrom('authorize' as const, 'capture' as const),
    isPartialAllowed: capabilities.partialAuthorization ? fc.boolean() : fc.constant(false),
    threeDSecure: orNull(
      fc.oneof(
        capabilities.threeDSecureByProvider ? fc.constant('provider' as const) : fc.constant(null),
        capabilities.threeDSecurePassThrough ? AUTHENTICATED : fc.constant(null),
      ),
    ),
    later: FOLLOW_UP,
    reply: disputeAnswers ? answersTo(disputeAnswers) : fc.constant(null),
  })

  test(`whatever the order says, ${id} sends what the published contract has`, async () => {
    const asked = new Set<string>()
    await sendMany(given, order, ({ over, later, reply, buyer, instrument, ...more }, link) => {
      const wanted = {
        ...over,
        ...buyer,
        instrument,
        ...more,
        ...(instrument.kind === 'redirect' && { instrument: { ...instrument, currency: more.currency } }),
        reconciliationId: newReference(),
      } as Partial<AuthorizeOrder>
      const course = { connector, given, link, later, reply, asked }
      return payAndFollow(course, samples.authorizeOrder(wanted))
    })
    expect(ASKED.filter((name) => connector[name] && !asked.has(name))).toEqual([])
  }, 120_000)

  const { payout } = connector
  if (!payout) return
  const cards = given.instruments.filter(({ kind }) => kind === 'card')
  const paidOut = fc.record({ over: PAYOUT, instrument: fc.constantFrom(...cards) })
  test(`whatever the payout says, ${id} sends what the published contract has`, async () => {
    await sendMany(given, paidOut, async ({ over, instrument }, link) => {
      const asked = { ...over, instrument, reconciliationId: newReference() }
      await payout(samples.payoutOrder(asked), link)
    })
  }, 60_000)
}

async function sendMany<Any>(
  given: Pick<Generated, 'open' | 'watch'>,
  orders: fc.Arbitrary<Any>,
  work: (order: Any, link: Link) => Promise<void>,
): Promise<void> {
  let requests = 0
  const link = given.open()
  await fc.assert(
    fc.asyncProperty(orders, async (order) => {
      const problems: string[] = []
      const complain = (found: readonly string[]) => {
        requests++
        problems.push(...found)
      }
      const fetch: Fetch = (url, init) => {
        complain(halvesIn(String(init?.body ?? '')))
        return link.fetch(url, init)
      }
      await work(order, { ...link, fetch: given.watch(fetch, { complain }) })
      if (problems.length > 0) throw new Error(problems.join('\n'))
    }),
    { seed: SEED, numRuns: RUNS },
  )
  // Some orders cannot be expressed, and are refused before anything is sent.
  expect(requests).toBeGreaterThan(RUNS / 2)
}

/** A character that was cut in halves is no text, and JSON writes it as an escape. */
function halvesIn(body: string): readonly string[] {
  const found = /.{0,40}\\ud[89a-f]/.exec(body)
  return found ? [`half a character in ${found[0]}`] : []
}

/** PayPal takes the same one once. */
function newReference(): string {
  return randomUUID().replaceAll('-', '').slice(0, 22)
}
