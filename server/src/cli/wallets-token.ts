import { isCurrency } from '#domain/currency.ts'
import { currencyNumberOf } from '#domain/currency-number.ts'
import { WRITTEN } from '#domain/written-forms.ts'
import type { Scope } from '#platform/database/db.ts'
import { realTime } from '#platform/process/clock.ts'
import { gatewayMerchantIdOf } from '#resources/digital-wallets/google-gateway.ts'
import type { KeyPurpose } from '#resources/digital-wallets/keys/schemas.ts'
import * as walletKeys from '#resources/digital-wallets/keys/store.ts'
import { makeAppleToken } from '#sandbox/simulator/wallets/make-apple-token.ts'
import { makeGoogleToken } from '#sandbox/simulator/wallets/make-google-token.ts'
import { readConfig } from '../config.ts'
import { defineCommand, UsageError } from './command.ts'
import { withFoundation } from './foundation.ts'

export const command = defineCommand({
  name: 'wallets token',
  about:
    'Prints a test token of Apple Pay or Google Pay, as a phone would send it: for the newest key of the account’s wallet, ' +
    'and signed by the test authority that only a sandbox trusts.',
  parameters: ['apple|google'],
  options: {
    amount: {
      type: 'string',
      value: 'AMOUNT',
      about: 'What the buyer agrees to, in minor units. Only Apple’s tokens say it.',
    },
    currency: { type: 'string', value: 'CODE', about: 'Its currency. Default USD.' },
    number: {
      type: 'string',
      value: 'DIGITS',
      about: 'The card number in the token. Default 4111111111111111.',
    },
    'expiration-date': { type: 'string', value: 'MM/YY', about: 'Default 12/40.' },
    'pan-only': { type: 'boolean', about: 'Google: the number of the card itself, without a cryptogram.' },
    'merchant-account': { type: 'string', value: 'ID', about: 'The account to pay. Default default.' },
  },
  example: 'switchyard wallets token apple --amount 1299 --currency USD',
  run: async (terminal, options, [wallet = '']) => {
    const config = readConfig(terminal.env)
    if (config.environment !== 'sandbox') {
      throw new Error('Test tokens are for sandboxes. Production trusts Apple and Google alone.')
    }
    const wanted = readWanted(wallet, options)
    await withFoundation(terminal, config, async ({ context }) => {
      const scope = { ...context, merchantAccountId: options['merchant-account'] ?? 'default' }
      const make = wanted.wallet === 'apple' ? makeApple : makeGoogle
      terminal.print(JSON.stringify(await make(scope, wanted)))
    })
    terminal.say(`A payment takes it once, as the token of the method ${wanted.wallet}pay, within minutes.`)
  },
})

type Wanted = {
  readonly wallet: 'apple' | 'google'
  readonly amount: number
  readonly currencyNumber: string
  readonly number: string
  readonly expirationDate: string
  readonly isPanOnly: boolean
}

type Options = {
  readonly amount: string | undefined
  readonly currency: string | undefined
  readonly number: string | undefined
  readonly 'expiration-date': string | undefined
  readonly 'pan-only': boolean
}

function readWanted(wallet: string, options: Options): Wanted {
  const { amount, currency = 'USD', number = '4111111111111111', 'expiration-date': date = '12/40' } = options
  if (wallet !== 'apple' && wallet !== 'google') {
    throw new UsageError(`The wallet must be apple or google, and not "${wallet}".`)
  }
  if (wallet === 'apple' && amount === undefined) throw new UsageError('--amount AMOUNT is missing.')
  if (!/^\d{1,8}$/.test(amount ?? '0'))
    throw new UsageError('--amount must be a whole number of minor units.')
  if (!isCurrency(currency)) throw new UsageError('--currency must be a code of ISO 4217, such as USD.')
  if (!/^\d{12,19}$/.test(number)) throw new UsageError('--number must be 12 to 19 digits.')
  if (!new RegExp(WRITTEN.expirationDate.pattern).test(date)) {
    throw new UsageError('--expiration-date must be MM/YY.')
  }
  return {
    wallet,
    amount: Number(amount ?? 0),
    currencyNumber: currencyNumberOf(currency) ?? '',
    number,
    expirationDate: date,
    isPanOnly: options['pan-only'],
  }
}

async function makeApple(scope: Scope, wanted: Wanted): Promise<object> {
  const { public_key, merchant_identifier } = await newestKey(scope, 'apple-payment-processing')
  return makeAppleToken({
    ...wanted,
    publicKey: public_key,
    merchantIdentifier: merchant_identifier ?? '',
    now: realTime(scope.clock),
  })
}

async function makeGoogle(scope: Scope, wanted: Wanted): Promise<object> {
  const { public_key, recipient_id } = await newestKey(scope, 'google-payment')
  const recipientId = recipient_id ?? ''
  return makeGoogleToken({
    ...wanted,
    publicKey: public_key,
    recipientId,
    gatewayMerchantId: recipientId.startsWith('gateway:')
      ? gatewayMerchantIdOf(scope.merchantAccountId)
      : null,
    authMethod: wanted.isPanOnly ? 'PAN_ONLY' : 'CRYPTOGRAM_3DS',
    now: realTime(scope.clock),
  })
}

async function newestKey(scope: Scope, purpose: KeyPurpose): Promise<walletKeys.StoredKey> {
  const [newest] = await walletKeys.listUsable(scope, purpose)
  if (newest) return newest
  throw new Error(
    `The merchant account ${scope.merchantAccountId} has no key for ${purpose}. Register a wallet, and add a key to it: ` +
      'POST /digital-wallets, then POST /digital-wallets/{id}/keys.',
  )
}
