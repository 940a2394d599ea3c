import type { Instrument } from '#connectors/contract/orders.ts'
import { describeGenerated } from '#testing/generated-orders.ts'
import { payPal, payPalCard } from './connectors.ts'
import { AMEX, NETWORK_TOKEN, openStandIn, pageOf, press } from './testing/bench.ts'
import { payPalContract } from './testing/published-contract.ts'

const INSTRUMENTS: readonly Instrument[] = [
  AMEX,
  NETWORK_TOKEN,
  { ...NETWORK_TOKEN, cryptogram: null, eci: null },
  { ...NETWORK_TOKEN, cardSource: 'apple-pay' },
  { ...NETWORK_TOKEN, cardSource: 'google-pay' },
]

for (const connector of [payPal, payPalCard]) {
  const desk = openStandIn()
  describeGenerated(connector, {
    watch: payPalContract.watch,
    instruments: INSTRUMENTS,
    decide: (answer, decision) => press(desk, pageOf(answer), decision === 'approve' ? 'approve' : 'cancel'),
    dispute: (capture_id) => desk.dispute({ capture_id }),
    open: () => desk.link,
  })
}
