import { randomUUID, timingSafeEqual } from 'node:crypto'
import { type Body, type Call, readBody } from '../requests.ts'
import type { WalletDesk } from './desk.ts'
import { misbehave } from './misbehave.ts'
import { readText } from './read-text.ts'

const CHECKOUT_URL = 'https://checkout.paze.simulator.invalid/'
const NAME_MAX = 1024
const ID_MAX = 255

/**
 * Paze for sandboxes. The real one sends the buyer from its page back to the app with a code; here, the
 * address of the page carries the code already.
 */
export async function answerPaze(desk: WalletDesk, call: Call, route: string): Promise<Response> {
  const body = await readBody(call)
  switch (route) {
    case 'POST clients':
      return Response.json(clientOf(desk, body))
    case 'POST access-tokens':
      return Response.json(accessFor(desk, body))
    case 'POST sessions/create':
      return createSession(desk, call, body)
    case 'POST sessions/review':
      return reviewSession(desk, body)
    case 'POST sessions/complete':
      return completeSession(desk, body)
    default:
      return Response.json({ error: 'unknown_path' }, { status: 404 })
  }
}

/** A merchant keeps its ids, which are made from its reference. */
function clientOf({ mac }: WalletDesk, body: Body) {
  const name = readText(body, 'name', NAME_MAX)
  const hex = mac(`paze ${readText(body, 'reference', 100)}`)
    .toString('hex')
    .toUpperCase()
  return { id: hex.slice(0, 24), name, profileId: hex.slice(24, 48) }
}

function accessFor(desk: WalletDesk, body: Body) {
  const clientId = readText(body, 'clientId', ID_MAX)
  const sessionId = randomUUID()
  return { accessToken: writePass(desk, 'paze-access', { clientId, sessionId }), sessionId }
}

async function createSession(desk: WalletDesk, call: Call, body: Body): Promise<Response> {
  const access = readPass(desk, 'paze-access', body['accessToken'])
  if (!access) return refuse('accessToken')
  if (access['sessionId'] !== body['sessionId']) return refuse('sessionId')
  if (access['clientId'] !== (body['client'] as Body)['id']) return refuse('client/id')
  const emailAddress = body['emailAddress'] ?? null
  const bad = await misbehave(desk, call, String(emailAddress).split('@')[0] ?? '')
  if (bad) return bad
  const code = writePass(desk, 'paze-code', {
    sessionId: body['sessionId'],
    emailAddress,
    phoneNumber: body['phoneNumber'] ?? null,
    isShipped: body['shippingPreference'] !== 'NONE',
  })
  return Response.json({
    pazeCheckoutUrl: `${CHECKOUT_URL}?${new URLSearchParams({ code })}`,
    ...contextOf(desk, body),
  })
}

function reviewSession(desk: WalletDesk, body: Body): Response {
  const seen = codeOf(desk, body)
  return 'refusal' in seen ? seen.refusal : Response.json(reviewOf(seen.facts, seen.code))
}

/** The payload is sealed for the merchant's processor. The simulator never opens it. */
function completeSession(desk: WalletDesk, body: Body): Response {
  const seen = codeOf(desk, body)
  if ('refusal' in seen) return seen.refusal
  const payloadId = randomUUID()
  const securePayload = writePass(desk, 'paze-payload', { payloadId })
  const completeResponse = writePass(desk, 'paze-complete', {
    payloadId,
    sessionId: body['sessionId'],
    transactionValue: body['transactionValue'] ?? null,
    securePayload,
  })
  return Response.json({ payloadId, completeResponse, securePayload, ...contextOf(desk, body) })
}

type Seen = { readonly facts: Body; readonly code: string } | { readonly refusal: Response }

function codeOf(desk: WalletDesk, body: Body): Seen {
  const access = readPass(desk, 'paze-access', body['accessToken'])
  if (!access) return { refusal: refuse('accessToken') }
  if (access['sessionId'] !== body['sessionId']) return { refusal: refuse('sessionId') }
  const facts = readPass(desk, 'paze-code', body['code'])
  if (!facts || facts['sessionId'] !== body['sessionId']) return { refusal: refuse('code') }
  return { facts, code: String(body['code']) }
}

function contextOf({ clock }: WalletDesk, { sessionId }: Body) {
  return {
    clientContext: String(sessionId),
    ewSID: randomUUID(),
    timestampISO8601: clock().toISOString(),
  }
}

function refuse(field: string): Response {
  return Response.json({ error: 'refused', field }, { status: 400 })
}

const KEPT_MS = 30 * 60_000

type Desk = Pick<WalletDesk, 'clock' | 'mac'>

/** A text that only this simulator can have made, and that is good for half an hour. */
function writePass({ clock, mac }: Desk, kind: string, facts: Body): string {
  const content = { ...facts, until: clock().getTime() + KEPT_MS }
  const text = Buffer.from(JSON.stringify(content)).toString('base64url')
  return `${text}.${mac(`${kind} ${text}`).toString('base64url')}`
}

/** Null if it is forged, of another kind, or too old. */
function readPass({ clock, mac }: Desk, kind: string, pass: unknown): Body | null {
  const [text = '', seal = ''] = String(pass).split('.')
  const expected = mac(`${kind} ${text}`)
  const given = Buffer.from(seal, 'base64url')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  const facts = JSON.parse(Buffer.from(text, 'base64url').toString()) as Body
  return Number(facts['until']) > clock().getTime() ? facts : null
}

const ADDRESS = {
  line1: '1 Main Street',
  line2: null,
  line3: null,
  city: 'Springfield',
  state: 'IL',
  zip: '62701',
  countryCode: 'US',
}
const CHANGE_URL = 'https://checkout.paze.simulator.invalid/change'

/** What the simulated buyer chose on Paze's page. */
function reviewOf({ emailAddress, phoneNumber, isShipped }: Body, code: string): object {
  const mobileNumber = { countryCode: '1', phoneNumber: String(phoneNumber ?? '2175550123') }
  return {
    consumer: {
      firstName: 'Jane',
      lastName: 'Doe',
      fullName: 'Jane Doe',
      countryCode: 'US',
      languageCode: 'EN',
      emailAddress: String(emailAddress ?? 'jane.doe@example.com'),
      mobileNumber,
    },
    shippingAddress: isShipped
      ? {
          ...ADDRESS,
          deliveryContactDetails: { contactFullName: 'Jane Doe', contactPhoneNumber: mobileNumber },
        }
      : null,
    maskedCard: {
      panLastFour: '1111',
      paymentAccountReference: 'V0010013022298169667504231315',
      panExpirationMonth: '12',
      panExpirationYear: '2035',
      paymentCardDescriptor: 'Simulated bank',
      paymentCardType: 'CREDIT',
      paymentCardBrand: 'VISA',
      paymentCardNetwork: 'VISA',
      digitalCardData: {
        artUri: 'https://checkout.paze.simulator.invalid/card.png',
        artHeight: 105,
        artWidth: 164,
      },
      billingAddress: { name: 'Jane Doe', ...ADDRESS },
    },
    links: {
      CHANGE_CARD: `${CHANGE_URL}/card`,
      CHANGE_SHIPPING_ADDRESS: isShipped ? `${CHANGE_URL}/shipping-address` : null,
    },
    code,
  }
}
