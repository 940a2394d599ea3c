import type { Instrument } from '#connectors/contract/orders.ts'
import { describeGenerated } from '#testing/generated-orders.ts'
import { payPal, payPalCard } from './connectors.ts'
import { AMEX, NETWORK_TOKEN, openStandIn } from './testing/bench.ts'
import { payPalContract } from './testing/published-contract.ts'

const INSTRUMENTS: readonly Instrument[] = [
  AMEX,
  NETWORK_TOKEN,
  { ...NETWORK_TOKEN, cryptogram: null, eci: null },
  { ...NETWORK_TOKEN, cardSource: 'apple-pay' },
  { ...NETWORK_TOKEN, cardSource: 'google-pay' },
]

for (const connector of [payPal, payPalCard]) {
  const { link } = openStandIn()
  describeGenerated(connector, { watch: payPalContract.watch, instruments: INSTRUMENTS, open: () => link })
}
