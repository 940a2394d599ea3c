import { card } from '#connectors/contract/samples.ts'
import { secret } from '#connectors/contract/secret.ts'
import { describeGenerated } from '#testing/generated-orders.ts'
import { stripeConnectors } from './connectors.ts'
import { METHODS } from './methods.ts'
import { stripeContract } from './testing/published-contract.ts'
import { openShop } from './testing/shop.ts'

const HOLDER = { account_holder: { first_name: 'Ada', last_name: 'Lovelace' } }
const ACCOUNTS = {
  sepa: { ...HOLDER, account_number: 'DE89370400440532013000' },
  bacs: { ...HOLDER, account_number: '00012345', routing_number: '108800' },
  ach: { ...HOLDER, account_number: '000123456789', routing_number: '110000000' },
}

for (const connector of stripeConnectors) {
  const { method } = connector.manifest
  const account = ACCOUNTS[method as keyof typeof ACCOUNTS]
  const { link, decide, finish, dispute } = openShop()
  describeGenerated(connector, {
    watch: stripeContract.watch,
    isBuyerKnown: METHODS.some((row) => row.method === method && row.asks) || method === 'bacs',
    instruments: account
      ? [{ kind: 'bank', payload: secret(JSON.stringify(account)), mandate: null }]
      : [card(), card({ number: secret('4000002760003184') }), card({ securityCode: null })],
    decide,
    finish,
    dispute,
    open: () => link,
  })
}
