import { createStandIn as standInForAdyen } from './adyen/stand-in.ts'
import { SECRET_KEY, createStandIn as standInForCheckout } from './checkout/stand-in.ts'
import {
  STAND_IN_ACCOUNT as CYBERSOURCE,
  createStandIn as standInForCybersource,
} from './cybersource/stand-in.ts'
import {
  STAND_IN_ACCOUNT as GOCARDLESS,
  createStandIn as standInForGoCardless,
} from './gocardless/stand-in.ts'
import { TEST_KEY as MOLLIE_KEY, createStandIn as standInForMollie } from './mollie/stand-in.ts'
import { STAND_IN_CLIENT, createStandIn as standInForPayPal } from './paypal/stand-in.ts'
import { STAND_IN_ACCOUNT, createStandIn as standInForSift } from './sift/stand-in.ts'
import { STAND_IN_TEAM, createStandIn as standInForSignifyd } from './signifyd/stand-in.ts'
import { createStandIn as standInForStripe, TEST_KEY } from './stripe/stand-in.ts'
import {
  WEBHOOK_SECRET as SECRET_OF_WORLDPAY,
  createStandIn as standInForWorldpay,
  STAND_IN_ACCOUNT as WORLDPAY,
} from './worldpay/stand-in.ts'

/** A stand-in that listens on this machine. */
export type Listening = {
  readonly origin: string
  /** What enters the fields. */
  readonly service: 'a payment service' | 'an anti-fraud service'
  readonly fields: Readonly<Record<string, string>>
  /** How the stand-in learns where to send its notifications. */
  readonly notifications: string
  readonly close: () => Promise<void>
}

const REGISTER =
  'Then call POST /payment-services/{id}/notifications: it registers the service for notifications.'

/** Every stand-in of this version, by provider. Time is real, as it is at the provider. */
export const STAND_INS: Readonly<Record<string, (port: number, now: () => Date) => Promise<Listening>>> = {
  adyen: async (port, now) => {
    const { account, listen } = standInForAdyen({ now, isAutomatic: true })
    const { origin, close } = await listen(port)
    return {
      origin,
      close,
      service: 'a payment service',
      fields: {
        api_key: account.apiKey,
        merchant_account: account.merchantAccount,
        hmac_key: account.hmacKey,
        stand_in_url: origin,
      },
      notifications: tellWebhook(origin),
    }
  },
  checkout: async (port, now) => {
    const { origin, close } = await standInForCheckout({ now, isAutomatic: true }).listen(port)
    const fields = { secret_key: SECRET_KEY, stand_in_url: origin }
    return { origin, close, service: 'a payment service', fields, notifications: REGISTER }
  },
  cybersource: async (port, now) => {
    const { origin, close } = await standInForCybersource({ now }).listen(port)
    const fields = { ...CYBERSOURCE, multiple_captures: 'true', stand_in_url: origin }
    return { origin, close, service: 'a payment service', fields, notifications: UNTOLD }
  },
  gocardless: async (port, now) => {
    const { origin, close } = await standInForGoCardless({ now, isAutomatic: true }).listen(port)
    const fields = { ...GOCARDLESS, stand_in_url: origin }
    return { origin, close, service: 'a payment service', fields, notifications: tellWebhook(origin) }
  },
  mollie: async (port, now) => {
    const { origin, close } = await standInForMollie({ now, isAutomatic: true }).listen(port)
    const fields = { api_key: MOLLIE_KEY, stand_in_url: origin }
    return { origin, close, service: 'a payment service', fields, notifications: REGISTER }
  },
  paypal: async (port, now) => {
    const { listen, close } = standInForPayPal({ now })
    const origin = await listen(port)
    const { id, secret } = STAND_IN_CLIENT
    return {
      origin,
      close,
      service: 'a payment service',
      fields: { client_id: id, client_secret: secret, stand_in_url: origin },
      notifications: REGISTER,
    }
  },
  sift: async (port, now) => {
    const { origin, close } = await standInForSift({ now }).listen(port)
    return {
      origin,
      close,
      service: 'an anti-fraud service',
      fields: { ...STAND_IN_ACCOUNT, stand_in_url: origin },
      notifications: tellWebhook(origin),
    }
  },
  signifyd: async (port, now) => {
    const { origin, close } = await standInForSignifyd({ now }).listen(port)
    return {
      origin,
      close,
      service: 'an anti-fraud service',
      fields: { ...STAND_IN_TEAM, stand_in_url: origin },
      notifications: tellWebhook(origin),
    }
  },
  stripe: async (port, now) => {
    const { origin, close } = await standInForStripe({ now }).listen(port)
    const fields = { secret_key: TEST_KEY, stand_in_url: origin }
    return { origin, close, service: 'a payment service', fields, notifications: REGISTER }
  },
  worldpay: async (port, now) => {
    const { origin, close } = await standInForWorldpay({ now, isAutomatic: true }).listen(port)
    const fields = {
      ...WORLDPAY,
      narrative: 'My shop',
      webhook_secret: SECRET_OF_WORLDPAY,
      stand_in_url: origin,
    }
    return {
      origin,
      close,
      service: 'a payment service',
      fields,
      notifications: `${tellWebhook(origin)}\n${ALSO_3DS}`,
    }
  },
}

const UNTOLD = 'It sends no notifications: the service asks.'

const ALSO_3DS =
  'A 3-D Secure service takes username, password, entity and stand_in_url, and gets no notifications.'

function tellWebhook(origin: string): string {
  return `Then tell it the webhook_url of the service: curl ${origin}/_stand-in/webhook -H 'content-type: application/json' -d '{"url": "…"}'`
}
