import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import { secret } from '#connectors/contract/secret.ts'
import type { Trial } from '#connectors/contract/trial.ts'

export const TRIAL: Trial = {
  // Live payments go to the same host. The key decides.
  hosts: ['api.stripe.com'],
  refuse: ({ secret_key: key = '' }) =>
    /^(sk|rk)_test_/.test(key)
      ? null
      : 'secret_key is not a key for tests: enter one that begins with sk_test_ or rk_test_',
  movesMoney: (url, init) => init?.method === 'POST' && !url.endsWith('/payment_methods'),
}

/** Test cards of https://docs.stripe.com/testing */
export const CARD_TRIAL: Trial = {
  ...TRIAL,
  approved: () => paidBy('4242424242424242'),
  declined: () => paidBy('4000000000000002'),
}

function paidBy(number: string): Partial<AuthorizeOrder> {
  return {
    instrument: {
      kind: 'card',
      source: 'card',
      number: secret(number),
      expirationDate: '12/35',
      securityCode: secret('123'),
      scheme: 'visa',
    },
  }
}
