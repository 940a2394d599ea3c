import { createStandIn as standInForAdyen } from './adyen/stand-in.ts'
import { STAND_IN_CLIENT, createStandIn as standInForPayPal } from './paypal/stand-in.ts'
import { createStandIn as standInForStripe, TEST_KEY } from './stripe/stand-in.ts'

/** A stand-in that listens on this machine. */
export type Listening = {
  readonly origin: string
  /** What a payment service enters to use it. */
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
      fields: {
        api_key: account.apiKey,
        merchant_account: account.merchantAccount,
        hmac_key: account.hmacKey,
        stand_in_url: origin,
      },
      notifications: `Then tell it the webhook_url of the service: curl ${origin}/_stand-in/webhook -H 'content-type: application/json' -d '{"url": "…"}'`,
    }
  },
  paypal: async (port, now) => {
    const { listen, close } = standInForPayPal({ now })
    const origin = await listen(port)
    const { id, secret } = STAND_IN_CLIENT
    return {
      origin,
      close,
      fields: { client_id: id, client_secret: secret, stand_in_url: origin },
      notifications: REGISTER,
    }
  },
  stripe: async (port, now) => {
    const { origin, close } = await standInForStripe({ now }).listen(port)
    return { origin, close, fields: { secret_key: TEST_KEY, stand_in_url: origin }, notifications: REGISTER }
  },
}
