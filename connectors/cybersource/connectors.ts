import type { Connector, Link, VerifyAnswer } from '#connectors/contract/connector.ts'
import type { Contact, Instrument } from '#connectors/contract/orders.ts'
import { secret } from '#connectors/contract/secret.ts'
import { authorize } from './authorize.ts'
import { capture, refund, release } from './follow-ups.ts'
import { MANIFEST } from './manifest.ts'
import { sync } from './sync.ts'
import { send } from './wire.ts'

/** Cards by the REST API of CyberSource. See docs/connectors/cybersource.md. */
export const cybersourceConnectors: readonly Connector[] = [
  {
    manifest: MANIFEST,
    authorize,
    capture,
    void: release,
    refund,
    sync,
    verify,
    trial: {
      hosts: ['apitest.cybersource.com'],
      // Keys of the live environment look the same. The test environment refuses them.
      refuse: () => null,
      approved: () => ({ instrument: TEST_CARD, billing: BUYER }),
      movesMoney: (url, init) => init?.method === 'POST' && !url.endsWith('/searches'),
    },
  },
]

/** What the test environment approves, whatever the processor. It declines by amounts, which differ. */
const TEST_CARD: Instrument = {
  kind: 'card',
  source: 'card',
  number: secret('4111111111111111'),
  expirationDate: '12/35',
  securityCode: secret('123'),
  scheme: 'visa',
}
const BUYER: Contact = {
  first_name: 'Jane',
  last_name: 'Doe',
  email_address: 'jane@example.com',
  phone_number: '+14155550100',
  address: {
    line1: '1 Market St',
    line2: null,
    house_number_or_name: null,
    city: 'San Francisco',
    state: null,
    state_code: 'US-CA',
    postal_code: '94105',
    country: 'US',
    organization: null,
  },
}

/** Looks for a payment that there is not: a question that needs the keys and moves nothing. */
async function verify(link: Link): Promise<VerifyAnswer> {
  const asked = {
    save: false,
    query: 'clientReferenceInformation.code:switchyardverify',
    offset: 0,
    limit: 1,
  }
  const reply = await send(link, '/tss/v2/searches', { ...asked, sort: 'submitTimeUtc:desc' })
  if (reply.kind === 'answer' && typeof reply.body['totalCount'] === 'number') return { outcome: 'accepted' }
  if (reply.kind !== 'error')
    return { outcome: 'unreachable', message: 'CyberSource gave no readable answer' }
  if (reply.status === 401)
    return rejected(
      'CyberSource does not accept the key: enter the merchant ID, the key ID and the shared secret again',
    )
  if (reply.status === 403)
    return rejected(
      'allow this key to search transactions, in the Business Center: lost answers are found by that',
    )
  return { outcome: 'unreachable', message: `CyberSource answered ${reply.status}` }
}

function rejected(message: string): VerifyAnswer {
  return { outcome: 'rejected', message }
}
