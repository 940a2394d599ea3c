import { randomBytes } from 'node:crypto'
import type { Desk } from './desk.ts'
import type { Decision, Payment } from './state.ts'

const DECISIONS: readonly Decision[] = ['approve', 'decline', 'cancel']

/** The page of the shopper's bank or wallet. It works without script. */
export async function showPage(desk: Desk, pspReference: string, request: Request): Promise<Response> {
  const payment = desk.state.payments.get(pspReference)
  if (!payment) return html('This payment is not known.', 404)
  const form = request.method === 'POST' ? new URLSearchParams(await request.text()) : new URLSearchParams()
  const decision = DECISIONS.find((one) => one === form.get('decision'))
  if (!decision) return html(pageFor(payment))
  const redirectResult = randomBytes(24).toString('base64url')
  desk.state.returns.set(redirectResult, { payment, decision, isUsed: false })
  const back = new URL(payment.returnUrl)
  back.searchParams.set('redirectResult', redirectResult)
  return new Response(null, { status: 303, headers: { location: back.href } })
}

function pageFor({ pspReference, amount, method }: Payment): string {
  const buttons = DECISIONS.map(
    (decision) =>
      `<button name="decision" value="${decision}">${decision[0]?.toUpperCase()}${decision.slice(1)}</button>`,
  )
  return `<h1>Approve this payment?</h1>
<p>${amount.value} ${amount.currency} in minor units, by ${escaped(method)}. No money moves: this page stands in for a bank.</p>
<form method="post" action="/shopper/${pspReference}">${buttons.join(' ')}</form>`
}

function html(body: string, status = 200): Response {
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Stand-in for a bank</title><body>${body}</body></html>`
  return new Response(page, { status, headers: { 'content-type': 'text/html; charset=utf-8' } })
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
