import type { Instrument } from '#connectors/contract/orders.ts'
import { secret } from '#connectors/contract/secret.ts'
import { operationFor, problemsWith } from '#sandbox/stand-ins/checkout/contract.ts'
import { describeGenerated, type Watch } from '#testing/generated-orders.ts'
import { checkoutConnectors } from './connectors.ts'
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

/** The stand-in has the contract, in a form of its own. */
const watch: Watch = (fetch, { complain }) => {
  return (url, init = {}) => {
    const { pathname } = new URL(url)
    const operation = operationFor(init.method ?? 'GET', pathname)
    const body: unknown = init.body ? JSON.parse(String(init.body)) : undefined
    complain(
      operation
        ? problemsWith(body, operation.takes).map(({ place, what }) => `${pathname}: ${place} ${what}`)
        : [`${pathname} is not in the contract`],
    )
    return fetch(url, init)
  }
}

for (const connector of checkoutConnectors) {
  const { link } = openShop()
  describeGenerated(connector, {
    watch,
    instruments: [card(), TOKEN, { ...TOKEN, cardSource: 'apple-pay', cryptogram: null }],
    open: () => link,
  })
}
