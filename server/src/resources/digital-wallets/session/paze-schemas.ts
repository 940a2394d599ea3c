import { Nullable, OneOf, Strict } from '#platform/http/schemas.ts'
import { type Static, type TSchema, Type } from '#platform/http/type.ts'

/** Paze's own spelling: these bodies are those of its mobile interface. */
const NETWORKS = ['VISA', 'MASTERCARD', 'DISCOVER'] as const
const TRANSACTION_TYPES = ['PURCHASE', 'CARD_ON_FILE', 'BOTH'] as const

const Text = (maxLength?: number) => Type.String(maxLength === undefined ? {} : { maxLength })
const Maybe = <Schema extends TSchema>(schema: Schema) => Type.Optional(Nullable(schema))

const SESSION = {
  sessionId: Type.String({ minLength: 1, maxLength: 255, description: 'Of the session for an app.' }),
  accessToken: Type.String({ minLength: 1, description: 'Of the same session.' }),
}
const Code = Type.String({
  minLength: 1,
  maxLength: 10_240,
  description: 'What Paze’s page handed to the app, or the code of the review.',
})

export const PazeTransactionValue = Strict(
  {
    transactionCurrency: Type.String({ description: 'ISO 4217.' }),
    transactionAmount: Type.String({ description: 'In units of the currency, such as 12.99.' }),
  },
  { title: 'PazeTransactionValue' },
)
export type PazeTransactionValue = Static<typeof PazeTransactionValue>

export const PazeSessionRequest = Strict(
  {
    source: Type.Optional(OneOf(['web', 'mobile'], { default: 'web', description: 'A page, or an app.' })),
    domain_name: Maybe(
      Type.String({
        maxLength: 255,
        description: 'The host of the page. If the wallet has domains, it must be one of them.',
      }),
    ),
  },
  { title: 'PazeSessionRequest', examples: [{ source: 'mobile', domain_name: null }] },
)
export type PazeSessionRequest = Static<typeof PazeSessionRequest>

const CLIENT = {
  id: Type.String({ minLength: 1 }),
  name: Type.String(),
  profileId: Type.String({ minLength: 1 }),
}
export const PazeClient = Strict(CLIENT)
const PazeWebSession = Strict(CLIENT, { title: 'PazeWebSession' })
const PazeMobileSession = Strict({ ...CLIENT, ...SESSION }, { title: 'PazeMobileSession' })
export const PazeAccess = Strict(SESSION)

export const PazeSession = Type.Union([PazeWebSession, PazeMobileSession], {
  title: 'PazeSession',
  examples: [
    {
      id: 'C0FFEE00C0FFEE00C0FFEE00',
      name: 'Fashion store',
      profileId: 'F00D0000F00D0000F00D0000',
      accessToken: 'eyJjbGllbnRJZCI6IkMwRkZFRSJ9.c2VhbA',
      sessionId: '6f1c2d3e-8a11-4f1f-9c00-0199f3a05d3b',
    },
  ],
})
export type PazeSession = Static<typeof PazeSession>

export const CreatePazeSession = Strict(
  {
    client: Strict(
      { id: Text(50), name: Maybe(Text(50)), profileId: Maybe(Text(50)) },
      { title: 'PazeClient' },
    ),
    ...SESSION,
    callbackURLScheme: Type.String({
      minLength: 1,
      maxLength: 40,
      description: 'The scheme by which Paze’s page returns to the app.',
    }),
    intent: OneOf(['REVIEW_AND_PAY', 'EXPRESS_CHECKOUT', 'ADD_CARD']),
    transactionValue: Maybe(PazeTransactionValue),
    transactionType: Maybe(OneOf(TRANSACTION_TYPES)),
    shippingPreference: Maybe(OneOf(['ALL', 'NONE'])),
    billingPreference: Maybe(OneOf(['ALL', 'ZIP_COUNTRY', 'NONE'])),
    emailAddress: Maybe(Text(128)),
    phoneNumber: Maybe(Text(10)),
    cobrand: Maybe(
      Type.Array(
        Strict({ name: Text(100), benefitsOffered: Maybe(Type.Boolean()) }, { title: 'PazeCobrand' }),
        {
          maxItems: 10,
        },
      ),
    ),
    acceptedShippingCountries: Maybe(Type.Array(Text())),
    acceptedPaymentCardNetworks: Maybe(Type.Array(OneOf(['VISA', 'MASTERCARD']))),
    alwaysEnableCheckout: Type.Optional(Type.Boolean({ default: false })),
  },
  {
    title: 'CreatePazeSession',
    examples: [
      {
        client: { id: 'C0FFEE00C0FFEE00C0FFEE00', name: 'Fashion store' },
        sessionId: '6f1c2d3e-8a11-4f1f-9c00-0199f3a05d3b',
        accessToken: 'eyJjbGllbnRJZCI6IkMwRkZFRSJ9.c2VhbA',
        callbackURLScheme: 'fashionstore',
        intent: 'REVIEW_AND_PAY',
        transactionValue: { transactionCurrency: 'USD', transactionAmount: '12.99' },
      },
    ],
  },
)
export type CreatePazeSession = Static<typeof CreatePazeSession>

const CONTEXT = { clientContext: Type.String(), ewSID: Type.String(), timestampISO8601: Type.String() }

export const CreatedPazeSession = Strict(
  {
    pazeCheckoutUrl: Type.String({ minLength: 1, description: 'The page of Paze that the app opens.' }),
    ...CONTEXT,
  },
  {
    title: 'CreatedPazeSession',
    examples: [
      {
        pazeCheckoutUrl: 'https://checkout.paze.example.com/6f1c2d3e-8a11-4f1f-9c00-0199f3a05d3b',
        clientContext: 'c1f0a3d2',
        ewSID: '9a1b7c55',
        timestampISO8601: '2026-11-16T09:00:00.000Z',
      },
    ],
  },
)
export type CreatedPazeSession = Static<typeof CreatedPazeSession>

export const ReviewPazeSession = Strict(
  { ...SESSION, code: Code },
  {
    title: 'ReviewPazeSession',
    examples: [
      {
        sessionId: '6f1c2d3e-8a11-4f1f-9c00-0199f3a05d3b',
        code: 'eyJzZXNzaW9uSWQiOiI2ZjFjIn0.c2VhbA',
        accessToken: 'eyJjbGllbnRJZCI6IkMwRkZFRSJ9.c2VhbA',
      },
    ],
  },
)
export type ReviewPazeSession = Static<typeof ReviewPazeSession>

const MobileNumber = Strict(
  { countryCode: Type.String(), phoneNumber: Type.String() },
  { title: 'PazeMobileNumber' },
)
const PLACE = {
  line1: Type.String(),
  line2: Maybe(Type.String()),
  line3: Maybe(Type.String()),
  city: Type.String(),
  state: Type.String(),
  zip: Type.String(),
}
const ShippingAddress = Strict(
  {
    ...PLACE,
    countryCode: Type.String(),
    deliveryContactDetails: Nullable(
      Strict(
        { contactFullName: Nullable(Type.String()), contactPhoneNumber: Nullable(MobileNumber) },
        { title: 'PazeDeliveryContact' },
      ),
    ),
  },
  { title: 'PazeShippingAddress' },
)
const MaskedCard = Strict(
  {
    panLastFour: Type.String(),
    paymentAccountReference: Type.String(),
    panExpirationMonth: Nullable(Type.String()),
    panExpirationYear: Nullable(Type.String()),
    paymentCardDescriptor: Type.String(),
    paymentCardType: OneOf(['CREDIT', 'DEBIT']),
    paymentCardBrand: OneOf(NETWORKS),
    paymentCardNetwork: OneOf(NETWORKS),
    digitalCardData: Strict(
      { artUri: Type.String(), artHeight: Type.Integer(), artWidth: Type.Integer() },
      { title: 'PazeCardArt' },
    ),
    billingAddress: Nullable(
      Strict(
        { name: Maybe(Type.String()), ...PLACE, countryCode: Maybe(Type.String()) },
        { title: 'PazeBillingAddress' },
      ),
    ),
  },
  { title: 'PazeMaskedCard' },
)

export const ReviewedPazeSession = Strict(
  {
    consumer: Strict(
      {
        firstName: Nullable(Type.String()),
        lastName: Nullable(Type.String()),
        fullName: Type.String(),
        countryCode: Nullable(Type.String()),
        languageCode: Nullable(Type.String()),
        emailAddress: Type.String(),
        mobileNumber: Nullable(MobileNumber),
      },
      { title: 'PazeConsumer' },
    ),
    shippingAddress: Nullable(ShippingAddress),
    maskedCard: MaskedCard,
    links: Strict(
      { CHANGE_CARD: Nullable(Type.String()), CHANGE_SHIPPING_ADDRESS: Nullable(Type.String()) },
      { title: 'PazeReviewLinks' },
    ),
    code: Type.String({ description: 'For the completion.' }),
  },
  {
    title: 'ReviewedPazeSession',
    examples: [
      {
        consumer: {
          firstName: 'Ada',
          lastName: 'Lovelace',
          fullName: 'Ada Lovelace',
          countryCode: 'US',
          languageCode: 'en',
          emailAddress: 'ada@example.com',
          mobileNumber: null,
        },
        shippingAddress: null,
        maskedCard: {
          panLastFour: '1111',
          paymentAccountReference: 'V0010013021298234567890123456',
          panExpirationMonth: '12',
          panExpirationYear: '2030',
          paymentCardDescriptor: 'Everyday card',
          paymentCardType: 'CREDIT',
          paymentCardBrand: 'VISA',
          paymentCardNetwork: 'VISA',
          digitalCardData: { artUri: 'https://paze.example.com/art/1111.png', artHeight: 105, artWidth: 168 },
          billingAddress: null,
        },
        links: { CHANGE_CARD: null, CHANGE_SHIPPING_ADDRESS: null },
        code: 'eyJyZXZpZXciOiI2ZjFjIn0.c2VhbA',
      },
    ],
  },
)
export type ReviewedPazeSession = Static<typeof ReviewedPazeSession>

const Location = Strict(
  { name: Maybe(Type.String()), ...PLACE, countryCode: Type.String() },
  { title: 'PazeLocation' },
)

export const CompletePazeSession = Strict(
  {
    ...SESSION,
    code: Code,
    transactionType: OneOf(TRANSACTION_TYPES),
    transactionOptions: Maybe(
      Strict(
        {
          merchantCategoryCode: Maybe(Type.String()),
          billingPreference: Maybe(OneOf(['ALL', 'NONE'])),
          payloadTypeIndicator: Maybe(OneOf(['ID', 'PAYMENT'])),
        },
        { title: 'PazeTransactionOptions' },
      ),
    ),
    transactionValue: Maybe(PazeTransactionValue),
    processingNetwork: Maybe(OneOf(NETWORKS)),
    enhancedTransactionData: Maybe(
      Strict(
        {
          ecomData: Maybe(
            Strict(
              {
                cartContainsGiftCard: Maybe(Type.Boolean()),
                orderForPickup: Maybe(Type.Boolean()),
                orderHighestCost: Maybe(Text(32)),
                orderQuantity: Maybe(Text(32)),
                finalShippingAddress: Maybe(ShippingAddress),
              },
              { title: 'PazeEcomData' },
            ),
          ),
          travelData: Maybe(
            Strict(
              {
                passengerName: Maybe(Type.String({ minLength: 1, maxLength: 100 })),
                roundTrip: Maybe(Type.Boolean()),
                departureDate: Maybe(Text(20)),
                returnDate: Maybe(Text(20)),
                departureLocation: Maybe(Location),
                returnLocation: Maybe(Location),
              },
              { title: 'PazeTravelData' },
            ),
          ),
        },
        { title: 'PazeEnhancedTransactionData' },
      ),
    ),
  },
  {
    title: 'CompletePazeSession',
    examples: [
      {
        sessionId: '6f1c2d3e-8a11-4f1f-9c00-0199f3a05d3b',
        code: 'eyJzZXNzaW9uSWQiOiI2ZjFjIn0.c2VhbA',
        accessToken: 'eyJjbGllbnRJZCI6IkMwRkZFRSJ9.c2VhbA',
        transactionType: 'PURCHASE',
        transactionValue: { transactionCurrency: 'USD', transactionAmount: '12.99' },
      },
    ],
  },
)
export type CompletePazeSession = Static<typeof CompletePazeSession>

export const CompletedPazeSession = Strict(
  {
    payloadId: Type.String(),
    completeResponse: Nullable(Type.String({ description: 'For `token` of a payment with Paze.' })),
    securePayload: Nullable(Type.String()),
    ...CONTEXT,
  },
  {
    title: 'CompletedPazeSession',
    examples: [
      {
        payloadId: '5d3b7c00-8a11-4f1f-9c00-0199f3a0',
        completeResponse: 'eyJhbGciOiJSUzI1NiJ9.eyJwYXlsb2FkIjoi4oCmIn0.c2VhbA',
        securePayload: null,
        clientContext: 'c1f0a3d2',
        ewSID: '9a1b7c55',
        timestampISO8601: '2026-11-16T09:00:00.000Z',
      },
    ],
  },
)
export type CompletedPazeSession = Static<typeof CompletedPazeSession>
