import type { Instrument } from '#connectors/contract/orders.ts'
import { card } from '#connectors/contract/samples.ts'
import { secret } from '#connectors/contract/secret.ts'
import { describeGenerated } from '#testing/generated-orders.ts'
import { adyenConnectors } from './connectors.ts'
import { METHODS } from './methods.ts'
import { adyenContract } from './testing/published-contract.ts'
import { CARD_WITH_CODE, openShop } from './testing/shop.ts'

const HOLDER = { account_holder: { first_name: 'Ada', last_name: 'Lovelace' } }
const TOKEN: Instrument = {
  kind: 'network-token',
  source: 'network-token',
  token: secret('4111111111111111'),
  expirationDate: '03/30',
  cryptogram: secret('AgAAAAAAAIR8CQrXcIhbQAAAAAA='),
  eci: '07',
  scheme: 'visa',
  cardholderName: null,
  cardSource: null,
}
const WALLET = {
  kind: 'wallet',
  checkoutToken: null,
  cardholderName: null,
  cardScheme: null,
  cardType: null,
  assurance: null,
} as const
const CARDS: readonly Instrument[] = [
  CARD_WITH_CODE,
  card({ number: secret('4212345678901237'), securityCode: secret('737') }),
  card({ securityCode: null, scheme: null, source: 'googlepay_pan_only' }),
  TOKEN,
  { ...TOKEN, cardSource: 'apple-pay' },
  { ...WALLET, wallet: 'applepay', token: secret('{"paymentData":{"version":"EC_v1"}}') },
  { ...WALLET, wallet: 'googlepay', token: secret('{"signature":"x"}') },
]
const bank = (account: object): Instrument[] => {
  const payload = secret(JSON.stringify({ ...HOLDER, ...account }))
  const mandate = { reference: 'a'.repeat(32), signedAt: '2026-11-16T10:00:00.000Z' }
  return [
    { kind: 'bank', payload, mandate: null },
    { kind: 'bank', payload, mandate },
  ]
}
const INSTRUMENTS: Readonly<Record<string, readonly Instrument[]>> = {
  card: CARDS,
  sepa: bank({ scheme: 'sepa', account_number: 'DE89370400440532013000', iban: 'DE89370400440532013000' }),
  bacs: bank({ scheme: 'bacs', account_number: '09083055', routing_number: '560036' }),
  ach: bank({
    scheme: 'ach',
    account_number: '123456789',
    routing_number: '121000358',
    account_type: 'checking',
  }),
}

for (const connector of adyenConnectors) {
  const { link, standIn, decide, decideOn, pageOf } = openShop()
  describeGenerated(connector, {
    watch: adyenContract.watch,
    instruments: INSTRUMENTS[connector.manifest.method] ?? [],
    isBuyerKnown: METHODS.some((row) => row.method === connector.manifest.method && row.asks),
    decide: decideOn,
    finish: async (reference) => {
      const page = await pageOf(reference)
      if (page) await decide(page, 'approve')
      await standIn.control('finish', { pspReference: reference })
    },
    dispute: async (pspReference) =>
      String((await standIn.control('disputes', { pspReference }))['pspReference']),
    open: () => link,
  })
}
