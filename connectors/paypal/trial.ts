import { randomUUID } from 'node:crypto'
import type { AuthorizeOrder, Contact } from '#connectors/contract/orders.ts'
import { secret } from '#connectors/contract/secret.ts'
import type { Trial } from '#connectors/contract/trial.ts'

export const TRIAL: Trial = {
  hosts: ['api-m.sandbox.paypal.com', 'api.sandbox.paypal.com'],
  // Credentials of PayPal do not show what they are for. The sandbox refuses live ones.
  refuse: () => null,
  movesMoney: (url, init) =>
    init?.method !== 'GET' && !url.endsWith('/oauth2/token') && !url.includes('/certs/'),
}

/** Test cards of https://developer.paypal.com/tools/sandbox/card-testing, where the holder's name chooses the result. */
export const CARD_TRIAL: Trial = {
  ...TRIAL,
  approved: () => paidBy(null),
  declined: () => paidBy('CCREJECT-IF'),
}

function paidBy(holder: string | null): Partial<AuthorizeOrder> {
  return {
    // PayPal takes an invoice once.
    reconciliationId: randomUUID().replaceAll('-', '').slice(0, 22),
    instrument: {
      kind: 'card',
      source: 'card',
      number: secret('4868719196829038'),
      expirationDate: '12/35',
      securityCode: secret('123'),
      scheme: 'visa',
    },
    ...(holder !== null && { billing: { ...NO_DETAILS, first_name: holder } }),
    redirectUrl: 'https://shop.example.com/back',
  }
}

const NO_DETAILS: Contact = {
  first_name: null,
  last_name: null,
  email_address: null,
  phone_number: null,
  address: null,
}
