import { constants, createPrivateKey, privateDecrypt } from 'node:crypto'
import type {
  AccountUpdaterConnector,
  CardUpdateAnswer,
  CardUpdateOrder,
} from '#connectors/contract/account-updater.ts'
import type { Link } from '#connectors/contract/connector.ts'
import { field } from '#connectors/contract/describe.ts'
import { lost, safe } from '#connectors/contract/requests.ts'
import { secret } from '#connectors/contract/secret.ts'
import { ACCESS_FIELDS, CREDENTIALS_REFUSED, STAND_IN_FIELD, sendWithToken } from './access-token.ts'
import { isObject, type Json } from './wire.ts'

const SCOPE = 'vault:real-time-account-updater'

/** Checkout.com's Standalone Account Updater. See docs/connectors/checkout.md. */
export const checkoutAccountUpdater: AccountUpdaterConnector = {
  manifest: {
    id: 'checkout-account-updater',
    displayName: 'Checkout.com account updater',
    isSimulator: false,
    fields: [
      ...ACCESS_FIELDS,
      field('private_key', 'Private key', {
        format: 'multiline',
        isSecret: true,
        help: 'PEM of the RSA key whose public half Checkout.com has from you. Left out: new dates are found, and new numbers cannot be read.',
      }),
      STAND_IN_FIELD,
    ],
  },
  schemes: ['amex', 'mastercard', 'visa'],
  findUpdate,
}

async function findUpdate(
  { number, expirationDate }: CardUpdateOrder,
  link: Link,
): Promise<CardUpdateAnswer> {
  const [month = '', year = ''] = expirationDate.split('/')
  const card = { number: number.use(String), expiry_month: Number(month), expiry_year: 2000 + Number(year) }
  const sending = { path: 'account-updater/cards', body: { source_options: { card } } }
  const reply = await sendWithToken(link, SCOPE, sending)
  if (reply.kind === 'lost') return lost(reply.reason)
  if (reply.kind === 'answer') return read(reply.body, link.fields['private_key'])
  // Asked again for a day, so that there is time to correct the key.
  if (reply.status === 401 || reply.status === 403) return lost(`${CREDENTIALS_REFUSED} ${SCOPE}`)
  return refused(`Checkout.com does not take the card: ${safe(reply.code) ?? reply.status}`)
}

/** The issuer takes no part, the holder does not want it, or nothing is newer. */
const NOTHING_NEW: readonly unknown[] = ['UP_TO_DATE', 'NON_PARTICIPATING_BIN', 'CARDHOLDER_OPT_OUT']

function read(body: Json, privateKey: string | undefined): CardUpdateAnswer {
  const { account_update_status: status, account_update_failure_code: failure, card } = body
  const date = isObject(card) ? dateIn(card) : null
  switch (status) {
    case 'CARD_CLOSED':
      return { outcome: 'closed' }
    case 'CARD_EXPIRY_UPDATED':
      return date ? { outcome: 'new_date', expirationDate: date } : lost(`${status} came without a date`)
    case 'CARD_UPDATED':
      return isObject(card) && date
        ? readNumber(card, date, privateKey)
        : lost(`${status} came without a date`)
    case 'UPDATE_FAILED':
      if (NOTHING_NEW.includes(failure)) return { outcome: 'unchanged' }
      return refused(`The scheme of the card could not tell: ${safe(failure) ?? 'it gives no reason'}`)
    default:
      return lost('Checkout.com answered without a status')
  }
}

/** Checkout.com asks the scheme for money, so it is not asked again for what we cannot read. */
function readNumber(card: Json, expirationDate: string, privateKey: string | undefined): CardUpdateAnswer {
  const { encrypted_card_number: encrypted, bin, last4 } = card
  if (typeof encrypted !== 'string')
    return refused(
      'The card has a new number, and Checkout.com does not send it. Have encrypted_card_number enabled there',
    )
  if (!privateKey) return refused('The card has a new number. Enter private_key to read it')
  const number = decrypt(encrypted, privateKey)
  const isIt = /^\d{12,19}$/.test(number) && number.startsWith(String(bin)) && number.endsWith(String(last4))
  if (!isIt)
    return refused('The new number cannot be read. Enter the private_key whose public half Checkout.com has')
  return { outcome: 'new_number', number: secret(number), expirationDate }
}

/** RSA with OAEP, by SHA-256 or by the older default. Empty: the key does not fit. */
function decrypt(encrypted: string, pem: string): string {
  for (const oaepHash of ['sha256', 'sha1']) {
    try {
      const key = { key: createPrivateKey(pem), padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash }
      return privateDecrypt(key, Buffer.from(encrypted, 'base64')).toString()
    } catch {
      // The other one, or neither.
    }
  }
  return ''
}

function dateIn({ expiry_month: month, expiry_year: year }: Json): string | null {
  if (!Number.isSafeInteger(month) || !Number.isSafeInteger(year)) return null
  return `${String(month).padStart(2, '0')}/${String(year).slice(-2)}`
}

function refused(reason: string): CardUpdateAnswer {
  return { outcome: 'refused', reason }
}
