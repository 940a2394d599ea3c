import { randomBytes } from 'node:crypto'
import { writeApproval, writeMessage } from '../page.ts'
import type { Desk } from './desk.ts'
import { otherMethod } from './methods.ts'
import type { Decision, Money, Payment } from './state.ts'

const DECISIONS: readonly Decision[] = ['approve', 'decline', 'cancel']

/** The page of the shopper's bank or wallet. It works without script. */
export async function showPage(desk: Desk, pspReference: string, request: Request): Promise<Response> {
  const payment = desk.state.payments.get(pspReference)
  if (!payment) return html(writeMessage('Adyen', 'This payment is not known.'), 404)
  const form = request.method === 'POST' ? new URLSearchParams(await request.text()) : new URLSearchParams()
  const decision = DECISIONS.find((one) => one === form.get('decision'))
  if (!decision) return html(pageFor(payment))
  const redirectResult = randomBytes(24).toString('base64url')
  desk.state.returns.set(redirectResult, { payment, decision, isUsed: false })
  const back = new URL(payment.returnUrl)
  back.searchParams.set('redirectResult', redirectResult)
  return new Response(null, { status: 303, headers: { location: back.href } })
}

const NAMES: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mc: 'Mastercard',
  amex: 'American Express',
}

const WORDS: Readonly<Record<Decision, string>> = {
  approve: 'Approve',
  decline: 'Decline',
  cancel: 'Cancel and return to the shop',
}

function pageFor({ pspReference, amount, method }: Payment): string {
  const buttons = DECISIONS.map(
    (decision) => `<button name="decision" value="${decision}">${WORDS[decision]}</button>`,
  )
  return writeApproval({
    provider: 'Adyen',
    question: `Approve this payment by ${otherMethod(method)?.name ?? NAMES[method] ?? method}?`,
    amount: inWords(amount),
    form: `<form method="post" action="/shopper/${pspReference}">${buttons.join('\n')}</form>`,
  })
}

/** Adyen counts in minor units. */
function inWords({ value, currency }: Money): string {
  const { maximumFractionDigits: digits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  return `${(value / 10 ** digits).toFixed(digits)} ${currency}`
}

export function html(page: string, status = 200): Response {
  return new Response(page, { status, headers: { 'content-type': 'text/html; charset=utf-8' } })
}
