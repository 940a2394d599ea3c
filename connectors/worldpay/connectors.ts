import type { Link } from '#connectors/contract/connector.ts'
import { field } from '#connectors/contract/describe.ts'
import type { AccountManifest } from '#connectors/contract/manifest.ts'
import type {
  AuthenticateOrder,
  ConcludeOrder,
  PrepareAnswer,
  ThreeDSecureConnector,
} from '#connectors/contract/three-d-secure.ts'
import { authenticationOf, merchantOf } from './authentication-request.ts'
import { readAuthentication, readVerification } from './read-outcome.ts'
import { isRecord, post, textOf } from './wire.ts'

const manifest: AccountManifest = {
  id: 'worldpay-three-ds',
  displayName: 'Worldpay 3DS',
  isSimulator: false,
  fields: [
    field('username', 'Username', {
      isRequired: true,
      pattern: /^[\x21-\x39\x3b-\x7e]{1,255}$/,
      help: 'From your Worldpay implementation manager: the username of Access Worldpay, of the test or the live environment.',
    }),
    field('password', 'Password', {
      isRequired: true,
      isSecret: true,
      pattern: /^[\x20-\x7e]{1,255}$/,
      help: 'From your Worldpay implementation manager, with the username.',
    }),
    field('entity', 'Entity', {
      isRequired: true,
      pattern: /^[A-Za-z0-9 ]{1,64}$/,
      help: 'The entity of your account, as in default. Worldpay makes it when you are set up.',
    }),
    field('acquirer_id', 'External acquirer', {
      pattern: /^[0-9]{1,20}$/,
      help: 'Digits, from Worldpay. Only if another acquirer than Worldpay charges the cards.',
    }),
    field('stand_in_url', 'Test server URL', {
      isSandboxOnly: true,
      isAddress: true,
      pattern: /^https?:\/\/[^\s/?#@]+\/?$/,
      help: 'Leave it empty to use the test environment of Worldpay.',
    }),
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
  authenticate: async (order, link) =>
    readAuthentication(await post('authentication', authenticationOf(order, link.fields), link)),
  conclude,
}

export const worldpayThreeDSConnectors: readonly ThreeDSecureConnector[] = [worldpayThreeDS]

const BIN_DIGITS = 6

/** Only a token is asked for: the first digits of the card are ours to add, so Worldpay need not have its number for this. */
async function prepare({ transactionId, number }: AuthenticateOrder, link: Link): Promise<PrepareAnswer> {
  const body = { transactionReference: transactionId, merchant: merchantOf(link.fields, null) }
  const answer = await post('deviceDataInitialization', body, link)
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
  return readVerification(await post('verification', body, link), version)
}
