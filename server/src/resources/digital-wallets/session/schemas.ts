import { CHECKED_URL, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'

const HOST_LENGTH_MAX = 255

export const GooglePaySessionRequest = Strict(
  {
    origin_domain: Type.String({
      minLength: 1,
      maxLength: HOST_LENGTH_MAX,
      description: 'The host of the page that shows the button. It need not be registered.',
    }),
  },
  { title: 'GooglePaySessionRequest', examples: [{ origin_domain: 'shop.example.com' }] },
)

export const GooglePaySession = Strict(
  {
    gateway_merchant_id: Type.String({
      description: 'For `tokenizationSpecification.parameters.gatewayMerchantId` of Google’s button.',
    }),
    token: Type.String({
      description:
        'For `merchantInfo.authJwt`: a JWT that names the merchant and the host, good for 15 minutes. The wallet’s `session_public_key` verifies it.',
    }),
  },
  {
    title: 'GooglePaySession',
    examples: [{ gateway_merchant_id: 'default', token: 'eyJhbGciOiJFUzI1NiJ9.e30.c2ln' }],
  },
)
export type GooglePaySession = Static<typeof GooglePaySession>

export const ApplePaySessionRequest = Strict(
  {
    validation_url: Type.String({
      format: CHECKED_URL,
      minLength: 1,
      maxLength: 2048,
      description:
        'As the event `onvalidatemerchant` of the page has it. Only Apple’s own addresses are asked.',
    }),
    domain_name: Type.String({
      minLength: 1,
      maxLength: HOST_LENGTH_MAX,
      description: 'The host of the page that shows the button, as it is registered for the wallet.',
    }),
  },
  {
    title: 'ApplePaySessionRequest',
    examples: [
      {
        validation_url: 'https://apple-pay-gateway-cert.apple.com/paymentservices/startSession',
        domain_name: 'shop.example.com',
      },
    ],
  },
)
export type ApplePaySessionRequest = Static<typeof ApplePaySessionRequest>

export const ApplePaySession = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  additionalProperties: true,
  title: 'ApplePaySession',
  description: 'Apple’s answer as it came, for `completeMerchantValidation` of the page.',
  examples: [{ merchantSessionIdentifier: 'SSH0…', nonce: 'a1b2c3d4', domainName: 'shop.example.com' }],
})
export type ApplePaySession = Static<typeof ApplePaySession>

export const ClickToPaySessionRequest = Strict(
  {
    checkout_session_id: Uuid({ description: 'The checkout session of the page. It stands in for a token.' }),
  },
  {
    title: 'ClickToPaySessionRequest',
    examples: [{ checkout_session_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0001' }],
  },
)

export const ClickToPaySession = Strict(
  {
    digital_payment_application_id: Type.String({ minLength: 1 }),
    digital_payment_application_name: Type.String({ minLength: 1 }),
  },
  {
    title: 'ClickToPaySession',
    description: 'By what Click to Pay knows the shop.',
    examples: [
      {
        digital_payment_application_id: '498647f8-26ae-4bd5-a07f-2d1a4e6ae68f',
        digital_payment_application_name: 'Fashion store',
      },
    ],
  },
)
export type ClickToPaySession = Static<typeof ClickToPaySession>
