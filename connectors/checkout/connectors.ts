import type { Connector } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import { secret } from '#connectors/contract/secret.ts'
import { activity } from './activity.ts'
import { authorize, complete } from './authorize.ts'
import { capture, increment, refund, release } from './follow-ups.ts'
import { MANIFEST } from './manifest.ts'
import { readNotification } from './notification.ts'
import { obstacleTo } from './payment-request.ts'
import { payout } from './payout.ts'
import { registerNotifications, verify } from './register.ts'
import { reports } from './reports.ts'
import { sync } from './sync.ts'
import { forgetToken, tokenize } from './tokens.ts'

/** See docs/connectors/checkout.md. */
export const checkoutConnectors: readonly Connector[] = [
  {
    manifest: MANIFEST,
    authorize,
    obstacleTo,
    complete,
    capture,
    void: release,
    refund,
    increment,
    payout,
    tokenize,
    forgetToken,
    sync,
    verify,
    readNotification,
    registerNotifications,
    reports,
    activity,
    trial: {
      hosts: ['api.sandbox.checkout.com'],
      refuse: ({ secret_key: key = '' }) =>
        key.startsWith('sk_sbox_')
          ? null
          : 'secret_key is not a key for tests: enter one that begins with sk_sbox_',
      needs: { payout: ['currency_account_id', 'processing_channel_id'] },
      movesMoney: (url, init) => init?.method === 'POST' && !url.endsWith('/payments/search'),
      approved: () => paidBy('4242424242424242'),
      declined: () => paidBy('4544249167673670'),
    },
  },
]

/** Cards of https://www.checkout.com/docs/testing/test-cards */
function paidBy(number: string): Partial<AuthorizeOrder> {
  const instrument = { kind: 'card', source: 'card', expirationDate: '12/35', scheme: 'visa' } as const
  return { instrument: { ...instrument, number: secret(number), securityCode: secret('100') } }
}
