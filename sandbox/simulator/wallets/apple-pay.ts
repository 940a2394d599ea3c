import { createHash, randomBytes, X509Certificate } from 'node:crypto'
import { BadRequest, type Call, readBody } from '../requests.ts'
import type { WalletDesk } from './desk.ts'
import { misbehave } from './misbehave.ts'
import { readText } from './read-text.ts'

const SESSION_MS = 5 * 60_000
/** Apple's limit for the name on the payment sheet. */
const DISPLAY_NAME_MAX = 64

/**
 * Apple's merchant validation. It knows merchants by the certificate that they present. Every domain is
 * registered except those that begin with `unregistered`; other first words ask for bad answers.
 */
export async function answerApplePay(desk: WalletDesk, call: Call, route: string): Promise<Response> {
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
