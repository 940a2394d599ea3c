import { createHash, randomBytes, X509Certificate } from 'node:crypto'
import { BadRequest, type Call, readBody } from '../requests.ts'
import type { WalletDesk } from './desk.ts'
import { misbehave } from './misbehave.ts'
import { answerPaze } from './paze.ts'
import { readText } from './read-text.ts'

/** The address of the providers of wallets, which does not exist outside this process. */
export const WALLETS_URL = 'https://wallets.simulator.invalid/'

/** The providers of digital wallets, for sandboxes. They keep no books: what they hand out carries its own seal. */
export async function answerWallets(desk: WalletDesk, call: Call): Promise<Response> {
  const [, wallet, ...rest] = new URL(call.url).pathname.split('/')
  const route = `${call.method} ${rest.join('/')}`
  switch (wallet) {
    case 'apple-pay':
      return answerApplePay(desk, call, route)
    case 'click-to-pay':
      return answerClickToPay(desk, call, route)
    case 'paze':
      return answerPaze(desk, call, route)
    default:
      return Response.json({ error: 'unknown_path' }, { status: 404 })
  }
}

const NAME_MAX = 1024

/** Click to Pay's register of shops. A shop keeps its id, which is made from its reference. */
async function answerClickToPay({ mac }: WalletDesk, call: Call, route: string): Promise<Response> {
  if (route !== 'POST applications') return Response.json({ error: 'unknown_path' }, { status: 404 })
  const body = await readBody(call)
  const name = readText(body, 'name', NAME_MAX)
  const hex = mac(`click-to-pay ${readText(body, 'reference', 100)}`).toString('hex')
  const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)]
  return Response.json({
    digital_payment_application_id: id.join('-'),
    digital_payment_application_name: name,
  })
}

const SESSION_MS = 5 * 60_000
/** Apple's limit for the name on the payment sheet. */
const DISPLAY_NAME_MAX = 64

/**
 * Apple's merchant validation. It knows merchants by the certificate that they present. Every domain is
 * registered except those that begin with `unregistered`; other first words ask for bad answers.
 */
async function answerApplePay(desk: WalletDesk, call: Call, route: string): Promise<Response> {
  if (!/^POST paymentservices\/(startSession|paymentSession)$/.test(route)) return refuse(404, 'Not found')
  const certificate = readCertificate(call.headers.get('x-client-certificate'))
  if (!certificate || certificate.validToDate <= desk.clock()) return refuse(401, 'No valid certificate')
  const body = await readBody(call)
  const merchantIdentifier = readText(body, 'merchantIdentifier', 255)
  const displayName = readText(body, 'displayName', DISPLAY_NAME_MAX)
  const domainName = readText(body, 'initiativeContext', 255)
  if (body['initiative'] !== 'web') throw new BadRequest('initiative')
  const name = domainName.split('.')[0] ?? ''
  const bad = await misbehave(desk, call, name)
  if (bad) return bad
  const isMerchant = certificate.subject.split('\n').includes(`UID=${merchantIdentifier}`)
  if (!isMerchant) return refuse(417, 'The certificate is of another merchant')
  if (name === 'unregistered') return refuse(417, 'The domain is not registered for the merchant')
  return Response.json(sessionFor(desk, { merchantIdentifier, displayName, domainName }))
}

type Merchant = {
  readonly merchantIdentifier: string
  readonly displayName: string
  readonly domainName: string
}

function sessionFor({ clock, mac }: WalletDesk, { merchantIdentifier, displayName, domainName }: Merchant) {
  const now = clock().getTime()
  const nonce = randomBytes(4).toString('hex')
  const identifier = createHash('sha256').update(merchantIdentifier).digest('hex').toUpperCase()
  return {
    epochTimestamp: now,
    expiresAt: now + SESSION_MS,
    merchantSessionIdentifier: `SSH${randomBytes(32).toString('hex').toUpperCase()}`,
    nonce,
    merchantIdentifier: identifier,
    domainName,
    displayName,
    signature: mac(`apple-pay ${nonce} ${identifier} ${domainName}`).toString('hex'),
    operationalAnalyticsIdentifier: `${displayName}:${identifier}`,
    retries: 0,
    pspId: identifier,
  }
}

function readCertificate(header: string | null): X509Certificate | null {
  try {
    return new X509Certificate(decodeURIComponent(header ?? ''))
  } catch {
    return null
  }
}

function refuse(status: number, statusMessage: string): Response {
  return Response.json({ statusCode: String(status), statusMessage }, { status })
}
