import type { Instrument } from '#connectors/contract/orders.ts'
import { card } from '#connectors/contract/samples.ts'
import { secret } from '#connectors/contract/secret.ts'
import { describeGenerated, describeGeneratedTokens } from '#testing/generated-orders.ts'
import { worldpayConnectors } from './connectors.ts'
import { worldpayNetworkToken } from './network-tokens.ts'
import { worldpayContract } from './testing/published-contract.ts'
import { openShop } from './testing/shop.ts'

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

for (const connector of worldpayConnectors) {
  const { link } = openShop()
  describeGenerated(connector, {
    watch: worldpayContract.watch,
    instruments: [
      card(),
      TOKEN,
      { ...TOKEN, cardSource: 'apple-pay' },
      { ...TOKEN, cardSource: 'google-pay' },
    ],
    open: () => link,
  })
}

describeGeneratedTokens(worldpayNetworkToken, {
  watch: worldpayContract.watch,
  open: () => openShop().link,
})
