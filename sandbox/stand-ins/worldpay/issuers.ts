import { randomBytes, randomUUID } from 'node:crypto'
import { escaped, writeApproval } from '../page.ts'
import { type Body, valueAt } from './check-request.ts'

/** What is said about a card, by its number. They are those of our own simulator, and not Worldpay's test cards. */
export const CARDS: Readonly<Record<string, string>> = {
  '4111111111102011': 'challenged',
  '5200000000002011': 'challenged',
  '4111111111103019': 'attempted',
  '4111111111104017': 'authenticationFailed',
  '4111111111105014': 'rejected',
  '4111111111106012': 'unavailable',
  '4111111111107010': 'notEnrolled',
  '4111111111108018': 'authenticationOutage',
  '4111111111101112': 'bypassed',
}
const VERSION = '2.2.0'
/** On the test environment. */
const CHALLENGE_LIVES_MS = 10 * 60_000

type Challenge = {
  readonly transactionReference: string
  readonly returnUrl: string
  readonly jwt: string
  readonly madeAt: number
  readonly isMastercard: boolean
  decision: 'approve' | 'refuse' | null
}

/** The issuers behind the 3DS API: what they say about a card, and the pages that the buyer's browser sees. */
export function openIssuers({ now }: { readonly now: () => Date }) {
  const challenges = new Map<string, Challenge>()

  const authenticate = (body: Body, origin: string): object => {
    const number = String(valueAt(body, 'instruction.paymentInstrument.cardNumber'))
    const isMastercard = number.startsWith('5')
    switch (CARDS[number]) {
      case 'challenged': {
        const reference = randomBytes(10).toString('hex')
        const challenge = { url: `${origin}/challenge`, jwt: jwt(), reference }
        challenges.set(reference, {
          transactionReference: String(body['transactionReference']),
          returnUrl: String(valueAt(body, 'challenge.returnUrl')),
          jwt: challenge.jwt,
          madeAt: now().getTime(),
          isMastercard,
          decision: null,
        })
        return { outcome: 'challenged', authentication: { version: VERSION }, challenge }
      }
      case 'attempted':
        return proof('A', isMastercard)
      case 'authenticationFailed':
        return failed('N')
      case 'rejected':
        return failed('R')
      case 'bypassed':
        return {
          outcome: 'bypassed',
          status: 'Y',
          enrolled: 'B',
          authentication: { version: VERSION, eci: '07' },
        }
      case undefined:
        return proof('Y', isMastercard)
      default:
        return { outcome: CARDS[number] }
    }
  }

  const verify = (body: Body): object => {
    const challenge = challenges.get(String(valueAt(body, 'challenge.reference')))
    if (!challenge || challenge.transactionReference !== body['transactionReference'])
      return { outcome: 'unavailable' }
    if (challenge.decision === null) return { outcome: 'unavailable' }
    return challenge.decision === 'approve' ? proof('Y', challenge.isMastercard) : failed('N')
  }

  const showChallenge = (form: URLSearchParams): Response => {
    const [reference = '', challenge] = [...challenges].find(([, one]) => one.jwt === form.get('JWT')) ?? []
    const isOver = !challenge || now().getTime() - challenge.madeAt > CHALLENGE_LIVES_MS
    if (isOver) return page('<p>The token of this challenge is not known, or it has expired.</p>')
    const hidden = `<input type="hidden" name="reference" value="${escaped(reference)}"><input type="hidden" name="MD" value="${escaped(form.get('MD') ?? '')}">`
    const buttons = `<button name="decision" value="approve">Approve</button><button name="decision" value="refuse">Refuse</button>`
    return page(
      writeApproval({
        provider: 'Worldpay',
        question: 'Is it you who pays?',
        amount: null,
        form: `<form method="post" action="/decide">${hidden}${buttons}</form>`,
      }),
    )
  }

  /** The issuer's page leads back with a form, within the same frame. */
  const decide = (form: URLSearchParams): Response => {
    const reference = form.get('reference') ?? ''
    const challenge = challenges.get(reference)
    if (!challenge) return page('<p>There is no such challenge.</p>')
    challenge.decision = form.get('decision') === 'approve' ? 'approve' : 'refuse'
    const fields = { TransactionId: reference, Response: '', MD: form.get('MD') ?? '' }
    const inputs = Object.entries(fields).map(
      ([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`,
    )
    return page(
      `<form method="post" action="${escaped(challenge.returnUrl)}">${inputs.join('')}<button>Back to the shop</button></form><script>document.forms[0].submit()</script>`,
    )
  }

  return { challenges, authenticate, verify, showChallenge, decide }
}

/** Mastercard counts from 00, the others from 05. */
function proof(status: 'Y' | 'A', isMastercard: boolean): object {
  const eci = { Y: isMastercard ? '02' : '05', A: isMastercard ? '01' : '06' }[status]
  const authenticationValue = randomBytes(20).toString('base64')
  const authentication = { version: VERSION, authenticationValue, eci, transactionId: randomUUID() }
  return { outcome: 'authenticated', status, enrolled: 'Y', acsTransactionId: randomUUID(), authentication }
}

function failed(status: 'N' | 'R'): object {
  const authentication = { version: VERSION, eci: '07', transactionId: randomUUID() }
  return { outcome: 'authenticationFailed', status, enrolled: 'Y', authentication }
}

/** It looks like a token, and means nothing. */
export function jwt(): string {
  return ['{"alg":"HS256","typ":"JWT"}', JSON.stringify({ jti: randomUUID() }), randomBytes(32)]
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.')
}

/** The page in the hidden frame tells the page around it, as Cardinal's does. */
export function showDevice(form: URLSearchParams): Response {
  const isWhole = /^\d{6}$/.test(form.get('Bin') ?? '') && (form.get('JWT') ?? '') !== ''
  const message = { MessageType: 'profile.completed', SessionId: `0_${randomUUID()}`, Status: isWhole }
  return page(`<script>parent.postMessage(${JSON.stringify(JSON.stringify(message))}, '*')</script>`)
}

export function page(html: string, status = 200): Response {
  return new Response(html, { status, headers: { 'content-type': 'text/html; charset=utf-8' } })
}
