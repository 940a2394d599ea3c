import type { Instrument } from '#connectors/contract/orders.ts'
import { testLink } from '#connectors/contract/samples.ts'
import { secret } from '#connectors/contract/secret.ts'
import { createStandIn } from '#sandbox/stand-ins/checkout/stand-in.ts'
import { ACCESS_KEY } from '#sandbox/stand-ins/checkout/vault-services.ts'
import {
  describeGenerated,
  describeGeneratedTokens,
  describeGeneratedUpdates,
} from '#testing/generated-orders.ts'
import { checkoutAccountUpdater } from './account-updater.ts'
import { checkoutConnectors } from './connectors.ts'
import { checkoutNetworkToken } from './network-tokens.ts'
import { watch } from './testing/published-contract.ts'
import { card, openShop } from './testing/shop.ts'

const TOKEN: Instrument = {
  kind: 'network-token',
  source: 'network-token',
  token: secret('4242424242424242'),
  expirationDate: '06/30',
  cryptogram: secret('AgAAAAAAAIR8CQrXcIhbQAAAAAA='),
  eci: '07',
  scheme: 'visa',
  cardholderName: null,
  cardSource: null,
}

for (const connector of checkoutConnectors) {
  const { link, decide } = openShop()
  describeGenerated(connector, {
    watch,
    instruments: [card(), TOKEN, { ...TOKEN, cardSource: 'apple-pay', cryptogram: null }],
    decide: ({ approval }, decision) => decide(approval, decision),
    open: () => link,
  })
}

const vault = {
  watch,
  open: () => testLink({ fetch: createStandIn({ now: () => new Date() }).fetch, fields: ACCESS_KEY }),
}
describeGeneratedTokens(checkoutNetworkToken, vault)
describeGeneratedUpdates(checkoutAccountUpdater, vault)
