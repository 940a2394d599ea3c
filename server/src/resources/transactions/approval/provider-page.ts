import type { FastifyReply } from 'fastify'
import { encode } from 'uqr'
import { amountText } from '#domain/currency.ts'
import { isRedirectUrl } from '#domain/redirect-url.ts'
import { sendScriptedPage } from '#platform/page.ts'
import { Html, html } from '#platform/reference/html.ts'
import type { ShownApproval } from '#processing/attempts/approval.ts'
import { amountForMethod } from '../state.ts'
import type { StoredTransaction } from '../store.ts'

/**
 * The page for a buyer who approves at the provider in another way than by an address: a form that leads there, a QR code,
 * or a voucher. It works without scripts.
 */
export function sendApproval(
  reply: FastifyReply,
  transaction: StoredTransaction,
  { approval, returnUrl }: { readonly approval: ShownApproval; readonly returnUrl: string },
): FastifyReply {
  const page = pageFor(approval, returnUrl)
  const content = html`<dl><dt>Amount</dt><dd>${amountText(amountForMethod(transaction), transaction.currency)}</dd>${until(transaction, approval)}</dl>${page.content}`
  return sendScriptedPage(reply, { ...page, content })
}

type Shown = {
  readonly title: string
  readonly content: Html
  readonly script: string
  readonly policy: readonly string[]
  readonly refreshSeconds?: number
}

function pageFor(approval: ShownApproval, returnUrl: string): Shown {
  switch (approval.kind) {
    case 'form':
      return formPage(approval)
    case 'qr':
      return qrPage(approval, returnUrl)
    case 'voucher':
      return voucherPage(approval, returnUrl)
  }
}

/** A voucher may be paid days later. */
function until({ outcome }: StoredTransaction, { kind }: ShownApproval): Html {
  const { approval_expires_at: end } = outcome
  if (kind !== 'voucher' || !end) return html``
  const text = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  return html`<dt>Pay by</dt><dd>${text.format(new Date(end))} UTC</dd>`
}

/**
 * Sends the form by itself if scripts run, and by a button if not. Providers redirect on to the buyer's bank, and browsers
 * hold the rule for forms against redirects, too. So it allows the address's scheme, not only its host.
 */
function formPage({ url, fields }: Extract<ShownApproval, { kind: 'form' }>): Shown {
  const { protocol } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new Error('a form of a provider leads to no web page')
  const inputs = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return {
    title: 'Approve this payment',
    content: html`<form method="post" action="${url}">${inputs}<button value="approve">Continue</button></form>
<p><small>You continue at the provider of your payment method.</small></p>`,
    // By its prototype: a field may be named submit.
    script: 'HTMLFormElement.prototype.submit.call(document.forms[0])',
    policy: [`form-action ${protocol === 'http:' ? 'http: https:' : protocol}`],
  }
}

const NO_FORM = ["form-action 'none'"]
/** How soon the page looks whether the buyer has paid. */
const REFRESH_SECONDS = 10

function qrPage({ text, url }: Extract<ShownApproval, { kind: 'qr' }>, returnUrl: string): Shown {
  const here = url === null ? null : safe(url)
  return {
    title: 'Scan to pay',
    content: html`${qrCode(text)}
<p>Scan the code with the app that you pay with.</p>
<nav>${here !== null && html`<a href="${here}" class="main">Open the app on this device</a>`}
<a href="${returnUrl}">I have paid</a></nav>`,
    script: '',
    policy: NO_FORM,
    refreshSeconds: REFRESH_SECONDS,
  }
}

/** Dark on light in both colour schemes, because not every reader takes the reverse. */
function qrCode(text: string): Html {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return html`<svg viewBox="0 0 ${size} ${size}" role="img" aria-label="QR code" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${new Html(dark.join(''))}"/></svg>`
}

/** Copying and printing need scripts. Without them, a tap selects the whole number. */
function voucherPage({ number, url }: Extract<ShownApproval, { kind: 'voucher' }>, returnUrl: string): Shown {
  const printed = url === null ? null : safe(url)
  return {
    title: 'Pay with this number',
    content: html`<p><output id="number">${number}</output></p>
<p>Use it where you pay. The shop is told when your payment has arrived.</p>
<nav><button type="button" id="copy" value="approve" hidden>Copy the number</button>
<button type="button" id="print" value="refuse" hidden>Print this page</button>
${printed !== null && html`<a href="${printed}">Show the voucher of the provider</a>`}
<a href="${returnUrl}">Back to the shop</a></nav>`,
    script: `const on = (id, work) => { const button = document.getElementById(id); button.hidden = false; button.onclick = work }
if (navigator.clipboard) on('copy', () => navigator.clipboard.writeText(document.getElementById('number').textContent).then(() => { document.getElementById('copy').textContent = 'Copied' }))
on('print', () => print())`,
    policy: NO_FORM,
  }
}

/** The provider's own addresses, unless a browser would run or read them. */
function safe(url: string): string | null {
  return isRedirectUrl(url) && !url.startsWith('data:') ? url : null
}
