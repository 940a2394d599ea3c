import { expect } from 'vitest'
import { type AppleTokenOrder, makeAppleToken } from '#sandbox/simulator/wallets/make-apple-token.ts'
import { type GoogleTokenOrder, makeGoogleToken } from '#sandbox/simulator/wallets/make-google-token.ts'
import type { SendOptions, TestService } from './harness.ts'
import { appleCertificate, MERCHANT_IDENTIFIER } from './wallet-shop.ts'

const NUMBER = '4111111111111111'
const RECIPIENT = 'gateway:switchyard'

type Key = { readonly id: string; readonly walletId: string; readonly public_key: string }

export type WalletPhone = {
  readonly appleKey: Key
  readonly googleKey: Key
  /** Lets the buyer approve 10.00 USD on a device, unless the order says otherwise. */
  readonly applePay: (order?: Partial<AppleTokenOrder>) => Record<string, unknown>
  readonly googlePay: (order?: Partial<GoogleTokenOrder>) => Record<string, unknown>
  readonly deleteKey: (key: Key) => Promise<void>
}

/** Registers both wallets with a key each for a merchant account, and approves payments to it. */
export async function openWalletPhone(service: TestService, options: SendOptions = {}): Promise<WalletPhone> {
  const now = () => service.context.clock()
  const certified = { purpose: 'apple-payment-processing', ...appleCertificate() }
  const appleKey = await register(service, 'apple', certified, options)
  const google = { purpose: 'google-payment', recipient_id: RECIPIENT }
  const googleKey = await register(service, 'google', google, options)
  const card = { number: NUMBER, expirationDate: '12/40' }
  return {
    appleKey,
    googleKey,
    applePay: (order) =>
      makeAppleToken({
        ...card,
        publicKey: appleKey.public_key,
        merchantIdentifier: MERCHANT_IDENTIFIER,
        amount: 1000,
        currencyNumber: '840',
        now: now(),
        ...order,
      }) as Record<string, unknown>,
    googlePay: (order) =>
      makeGoogleToken({
        ...card,
        publicKey: googleKey.public_key,
        recipientId: RECIPIENT,
        gatewayMerchantId: options.account ?? 'default',
        authMethod: 'CRYPTOGRAM_3DS',
        now: now(),
        ...order,
      }) as Record<string, unknown>,
    deleteKey: async ({ walletId, id }) => {
      const route = `DELETE /digital-wallets/${walletId}/keys/${id}`
      expect((await service.send(route, undefined, options)).statusCode).toBe(204)
    },
  }
}

async function register(
  { send }: TestService,
  provider: 'apple' | 'google',
  key: object,
  options: SendOptions,
): Promise<Key> {
  const wallet = { provider, merchant_name: 'Fashion store', accept_terms_and_conditions: true }
  const walletId = (await send('POST /digital-wallets', wallet, options)).json().id
  const added = await send(`POST /digital-wallets/${walletId}/keys`, key, options)
  expect(added.statusCode, added.body).toBe(201)
  return { ...added.json(), walletId }
}
