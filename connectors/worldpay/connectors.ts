import type { Connector, Link, VerifyAnswer } from '#connectors/contract/connector.ts'
import { field } from '#connectors/contract/describe.ts'
import type { AccountManifest } from '#connectors/contract/manifest.ts'
import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import { secret } from '#connectors/contract/secret.ts'
import type {
  AuthenticateAnswer,
  AuthenticateOrder,
  ConcludeOrder,
  PrepareAnswer,
  ThreeDSecureConnector,
} from '#connectors/contract/three-d-secure.ts'
import { authenticationOf, merchantOf, withoutTexts } from './authentication-request.ts'
import { authorize } from './authorize.ts'
import { capture, refund, release } from './follow-ups.ts'
import { ACCOUNT, MANIFEST, STAND_IN_URL } from './manifest.ts'
import { readNotification } from './notification.ts'
import { payout } from './payout.ts'
import { readAuthentication, readVerification } from './read-outcome.ts'
import { sync } from './sync.ts'
import { verify } from './verify.ts'
import { isRecord, orFailed, post, textOf } from './wire.ts'

const manifest: AccountManifest = {
  id: 'worldpay-three-ds',
  displayName: 'Worldpay 3DS',
  isSimulator: false,
  fields: [
    ...ACCOUNT,
    field('entity', 'Entity', {
      isRequired: true,
      pattern: /^[A-Za-z0-9 ]{1,64}$/,
      help: 'The entity of your account, as in default. Worldpay makes it when you are set up.',
    }),
    field('acquirer_id', 'External acquirer', {
      pattern: /^[0-9]{1,20}$/,
      help: 'Digits, from Worldpay. Only if another acquirer than Worldpay charges the cards.',
    }),
    STAND_IN_URL,
  ],
  shownInTranscripts: [
    ...[
      '/verifications',
      '/customers',
      '/3ds',
      '/deviceDataInitialization',
      '/authentication',
      '/verification',
    ],
    ...[
      'transactionReference',
      'entity',
      'overrideName',
      'acquirerId',
      'currency',
      'amount',
      'type',
      'windowSize',
    ],
    ...['preference', 'outcome', 'status', 'enrolled', 'version', 'eci', 'transactionId', 'acsTransactionId'],
    ...['errorName', 'headerName', 'jsonPath'],
  ],
}

/** The 3-D Secure server of Access Worldpay: device data, authentication, challenge, verification. See docs/connectors/worldpay.md. */
export const worldpayThreeDS: ThreeDSecureConnector = {
  manifest,
  prepare,
  authenticate,
  conclude,
  verify: verifyThreeDS,
}

export const worldpayThreeDSConnectors: readonly ThreeDSecureConnector[] = [worldpayThreeDS]

/**
 * A firewall may take what a buyer has entered for an attack. Then the buyer is authenticated without it: otherwise anybody could enter
 * something, and pay without 3-D Secure.
 */
async function authenticate(order: AuthenticateOrder, link: Link): Promise<AuthenticateAnswer> {
  const first = await post('authentication', authenticationOf(order, link.fields), link)
  const answer =
    first.outcome === 'blocked'
      ? await post('authentication', authenticationOf(withoutTexts(order), link.fields), link)
      : first
  return readAuthentication(orFailed(answer))
}

/** Prepares a payment that there is not: that needs the credentials and the entity, and asks no issuer. */
async function verifyThreeDS(link: Link): Promise<VerifyAnswer> {
  const body = { transactionReference: 'switchyard-verify', merchant: merchantOf(link.fields, null) }
  const answer = orFailed(await post('deviceDataInitialization', body, link))
  if (answer.outcome === 'answered') return { outcome: 'accepted' }
  if (answer.outcome === 'setup_error') return { outcome: 'rejected', message: answer.description }
  return { outcome: 'unreachable', message: answer.reason }
}

const BIN_DIGITS = 6

/** Only a token is asked for: the first digits of the card are ours to add, so Worldpay need not have its number for this. */
async function prepare({ transactionId, number }: AuthenticateOrder, link: Link): Promise<PrepareAnswer> {
  const body = { transactionReference: transactionId, merchant: merchantOf(link.fields, null) }
  const answer = orFailed(await post('deviceDataInitialization', body, link))
  if (answer.outcome !== 'answered') return answer
  const collection = answer.body['deviceDataCollection']
  const [jwt, url] = isRecord(collection) ? [textOf(collection, 'jwt'), textOf(collection, 'url')] : []
  if (!jwt || !url || !URL.canParse(url))
    return { outcome: 'unknown', reason: 'Worldpay’s answer has no form for the device' }
  const Bin = number.use((bytes) => bytes.toString().slice(0, BIN_DIGITS))
  return { outcome: 'collect', form: { url, fields: { Bin, JWT: jwt } }, state: '' }
}

/** Worldpay is asked what the issuer has said. What the browser brings back is the challenge's reference, which we know. */
async function conclude({ transactionId, state, version }: ConcludeOrder, link: Link) {
  const body = {
    transactionReference: transactionId,
    merchant: { entity: link.fields['entity'] },
    challenge: { reference: state },
  }
  return readVerification(orFailed(await post('verification', body, link)), version)
}

/** Cards by the Card Payments API, version 7. See docs/connectors/worldpay.md. */
export const worldpayConnectors: readonly Connector[] = [
  {
    manifest: MANIFEST,
    authorize,
    capture,
    void: release,
    refund,
    payout,
    sync,
    verify,
    readNotification,
    trial: {
      hosts: ['try.access.worldpay.com'],
      // Credentials of the live environment look the same. The test environment refuses them.
      refuse: () => null,
      movesMoney: (_url, init) => init?.method === 'POST',
      approved: () => paidBy('AUTHORISED'),
      declined: () => paidBy('REFUSED51'),
    },
  },
]

/** The test environment decides by the name of the holder: developer.worldpay.com/products/card-payments/testing */
function paidBy(name: string): Partial<AuthorizeOrder> {
  const instrument = { kind: 'card', source: 'card', expirationDate: '05/30', scheme: 'visa' } as const
  const none = { last_name: null, email_address: null, phone_number: null, address: null }
  return {
    instrument: { ...instrument, number: secret('4444333322221111'), securityCode: secret('123') },
    billing: { ...none, first_name: name },
  }
}
