import type { Link } from '#connectors/contract/connector.ts'
import { field } from '#connectors/contract/describe.ts'
import type {
  ChangeOrder,
  CryptogramAnswer,
  CryptogramOrder,
  NetworkTokenConnector,
  ProvisionOrder,
  TokenAnswer,
} from '#connectors/contract/network-token.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { lost } from '#connectors/contract/requests.ts'
import { secret } from '#connectors/contract/secret.ts'
import { send, toRefusal } from './card-wire.ts'
import { ACCOUNT, STAND_IN_URL } from './manifest.ts'
import { isRecord, textOf, type Wire } from './wire.ts'

/** Network tokens of the Tokens API of Access Worldpay, version 3. See docs/connectors/worldpay.md. */
export const worldpayNetworkToken: NetworkTokenConnector = {
  manifest: {
    id: 'worldpay-network-token',
    displayName: 'Worldpay network tokens',
    isSimulator: false,
    fields: [
      ...ACCOUNT.map((one) => ({ ...one, isVerifiable: false })),
      field('entity', 'Entity', {
        isRequired: true,
        pattern: /^[A-Za-z0-9][A-Za-z0-9 ]{0,31}$/,
        help: 'The entity of your account, as in default. Ask Worldpay to enable network tokens for it.',
      }),
      STAND_IN_URL,
    ],
    // Worldpay deletes by the number of the token, which is then in the address.
    shownInTranscripts: [
      '/tokens',
      '/network',
      '/cryptograms',
      'type',
      'entity',
      'status',
      'errorName',
      'jsonPath',
      'eci',
    ],
  },
  schemes: ['visa', 'mastercard', 'amex', 'discover'],
  needsRequestor: false,
  canSuspend: false,
  provision,
  change,
  makeCryptogram,
}

/** A token that is being made is asked about by its reference. */
async function provision(order: ProvisionOrder, link: Link): Promise<TokenAnswer> {
  const { reference, cardholderName } = order
  if (reference !== null) return about(reference, link)
  if (cardholderName === null) return refused('invalid_payment_method', { rawDescription: NO_NAME })
  const body = {
    paymentInstrument: { type: 'card/front', cardHolderName: cardholderName, ...numberOf(order) },
    merchant: { entity: link.fields['entity'] },
  }
  const reply = await send(link, 'tokens/network', body)
  return reply.kind === 'answer' ? read(reply.body, textOf(reply.body, 'tokenReference')) : toRefusal(reply)
}

const NO_NAME = 'Worldpay needs the name on the card: give the buyer billing_details with a name'

function numberOf({ number, expirationDate }: ProvisionOrder): object {
  const [month, year] = expirationDate.split('/').map(Number)
  return { cardNumber: number.use(String), cardExpiryDate: { month, year: 2000 + (year ?? 0) } }
}

async function about(reference: string, link: Link): Promise<TokenAnswer> {
  const reply = await send(link, `tokens/network/${encodeURIComponent(reference)}`)
  if (reply.kind !== 'answer') return toRefusal(reply)
  const isToken = isRecord(reply.body['tokenPaymentInstrument'])
  return isToken ? read(reply.body, reference) : lost('Worldpay told something else than a token')
}

function read(body: Wire, reference: string | null): TokenAnswer {
  if (reference === null) return lost('Worldpay told no reference of the token')
  const problem = problemIn(body)
  if (problem !== null) return refused('unsupported_payment_method', { rawCode: problem })
  const token = isRecord(body['tokenPaymentInstrument']) ? body['tokenPaymentInstrument'] : {}
  const [number, status] = [textOf(token, 'tokenNumber'), textOf(token, 'status')]
  if (number === null) return { outcome: 'pending', reference, facts: {} }
  const expirationDate = dateIn(token)
  if (!/^\d{12,19}$/.test(number) || expirationDate === null)
    return lost('Worldpay told a token that cannot be read')
  const card = isRecord(body['paymentInstrument']) ? body['paymentInstrument'] : {}
  const networkToken = {
    number: secret(number),
    expirationDate,
    paymentAccountReference: textOf(card, 'paymentAccountReference'),
    status: status === 'Active' ? 'active' : 'inactive',
  } as const
  return { outcome: 'approved', reference, facts: {}, networkToken }
}

/** Codes of Worldpay and of the scheme, as in `301/403`. The schema has a list of them, and the example one. */
function problemIn({ provisioningErrors }: Wire): string | null {
  const [first] = [provisioningErrors].flat()
  if (!isRecord(first)) return null
  const codes = [textOf(first, 'errorCode'), textOf(first, 'providerErrorCode')]
  return codes.filter((code) => code !== null && /^\w{1,20}$/.test(code)).join('/') || 'provisioningErrors'
}

function dateIn({ expiryDate }: Wire): string | null {
  const { month, year } = isRecord(expiryDate) ? expiryDate : ({} as Wire)
  const date = `${String(month).padStart(2, '0')}/${String(year).slice(-2)}`
  return /^(0[1-9]|1[0-2])\/\d{2}$/.test(date) ? date : null
}

/** Worldpay takes the number of a token where others take its id. It is not kept for that: Worldpay is asked. */
async function numberFor(reference: string, link: Link): Promise<TokenAnswer | string> {
  const answer = await about(reference, link)
  if (answer.outcome === 'pending') return refused('unexpected_state')
  return answer.outcome === 'approved' && answer.networkToken
    ? answer.networkToken.number.use(String)
    : answer
}

async function change({ operation, reference }: ChangeOrder, link: Link): Promise<TokenAnswer> {
  if (operation !== 'delete') return refused('invalid_operation')
  const number = await numberFor(reference, link)
  if (typeof number !== 'string') return number
  const reply = await send(link, `tokens/network/${number}`, undefined, 'DELETE')
  if (reply.kind !== 'answer') return toRefusal(reply)
  if (reply.status !== 204) return lost(`Worldpay answered ${reply.status} to a deletion`)
  return { outcome: 'approved', reference, facts: {}, networkToken: null }
}

async function makeCryptogram({ reference }: CryptogramOrder, link: Link): Promise<CryptogramAnswer> {
  const tokenNumber = await numberFor(reference, link)
  if (typeof tokenNumber !== 'string') return asCryptogram(tokenNumber)
  const reply = await send(link, 'tokens/network/cryptograms', { tokenNumber })
  if (reply.kind !== 'answer') return asCryptogram(toRefusal(reply))
  const details = isRecord(reply.body['cryptogramDetails']) ? reply.body['cryptogramDetails'] : {}
  const [cryptogram, eci] = [textOf(details, 'cryptogram'), textOf(details, 'eci')]
  if (cryptogram === null) return lost('Worldpay told no cryptogram')
  return {
    outcome: 'made',
    cryptogram: secret(cryptogram),
    eci: eci && /^\d{1,2}$/.test(eci) ? eci.padStart(2, '0') : null,
  }
}

function asCryptogram(answer: TokenAnswer): CryptogramAnswer {
  if (answer.outcome === 'unknown') return answer
  return {
    outcome: 'refused',
    code: ('facts' in answer && answer.facts.rawCode) || 'unknown_service_resource',
  }
}
