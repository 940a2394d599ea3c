import type { AuthorizeOrder, Contact } from '#connectors/contract/orders.ts'
import { secret } from '#connectors/contract/secret.ts'
import type { Trial } from '#connectors/contract/trial.ts'

export const TRIAL: Trial = {
  hosts: ['checkout-test.adyen.com', 'management-test.adyen.com', 'ca-test.adyen.com'],
  // A key of Adyen does not show what it is for. The test environment refuses live ones.
  refuse: ({ live_url_prefix: prefix }) =>
    prefix
      ? 'live_url_prefix belongs to a live account: leave it out, and use a key of the test account'
      : null,
}

/** Test cards of https://docs.adyen.com/development-resources/testing, where the holder's name chooses the result. */
export const CARD_TRIAL: Trial = {
  ...TRIAL,
  approved: () => paidBy('Jane'),
  declined: () => paidBy('DECLINED'),
}

function paidBy(holder: string): Partial<AuthorizeOrder> {
  return {
    instrument: {
      kind: 'card',
      source: 'card',
      number: secret('4111111145551142'),
      expirationDate: '03/30',
      securityCode: secret('737'),
      scheme: 'visa',
    },
    billing: { ...NO_DETAILS, first_name: holder },
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
