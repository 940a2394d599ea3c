import { randomUUID } from 'node:crypto'
import { networkError, type Sleep, stall } from '../faults.ts'
import { BadRequest, type Body, type Call, readBody, readMoney } from '../requests.ts'

/** The address of the provider, which does not exist outside this process. */
export const ANTI_FRAUD_URL = 'https://anti-fraud.simulator.invalid/'

/** An anti-fraud provider for sandboxes. It decides by the buyer's e-mail address, and keeps no books. */
export async function answerAntiFraud(
  { sleep }: { readonly sleep: Sleep },
  request: Call,
): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (request.method !== 'POST' || pathname !== '/decisions') return refuse(404, 'unknown_path')
  const body = await readBody(request)
  readMoney(body)
  const name = localPartOf(readEmailAddress(body))
  switch (name) {
    case null:
      return Response.json({ status: 'skipped', reason: 'no_email_address' })
    case 'reject':
      return decided('reject')
    case 'review':
      return decided('review')
    case 'error':
      return refuse(500, 'internal_error')
    case 'timeout':
      return stall({ sleep, signal: request.signal })
    case 'unavailable':
      throw networkError('ECONNREFUSED')
    default:
      return decided('accept')
  }
}

function readEmailAddress({ buyer = null }: Body): string | null {
  if (buyer === null) return null
  if (typeof buyer !== 'object') throw new BadRequest('buyer')
  const emailAddress = (buyer as Body)['email_address'] ?? null
  if (emailAddress !== null && typeof emailAddress !== 'string') throw new BadRequest('buyer.email_address')
  return emailAddress === '' ? null : emailAddress
}

function localPartOf(emailAddress: string | null): string | null {
  return emailAddress === null ? null : emailAddress.replace(/@[^@]*$/, '').toLowerCase()
}

function decided(decision: 'accept' | 'reject' | 'review'): Response {
  return Response.json({ status: 'decided', decision, reference: randomUUID() })
}

function refuse(status: number, error: string): Response {
  return Response.json({ error }, { status })
}
