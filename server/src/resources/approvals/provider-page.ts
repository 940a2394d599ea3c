import type { FastifyReply } from 'fastify'
import { encode } from 'uqr'
import type { Locale } from '#domain/locale.ts'
import { isRedirectUrl } from '#domain/redirect-url.ts'
import type { StoredTransaction } from '#payments/store/payments.ts'
import { type Dress, sendScriptedPage } from '#platform/http/page.ts'
import { Html, html } from '#platform/reference/html.ts'
import type { ShownApproval } from '#processing/attempts/conclude.ts'
import type { Words } from '#words/en.ts'
import { WORDS } from '#words/words.ts'

type AtProvider = {
  readonly approval: ShownApproval
  readonly returnUrl: string
  /** Who asks, and for how much. */
  readonly summary: Html
  readonly dress: Dress
}

/**
 * The page for a buyer who approves at the provider in another way than by an address: a form that leads there, a QR code, a
 * voucher, or an app that the provider has called. It works without scripts.
 */
export function sendApproval(
  reply: FastifyReply,
  transaction: StoredTransaction,
  { approval, returnUrl, summary, dress }: AtProvider,
): FastifyReply {
  const page = pageFor(approval, returnUrl, dress.locale)
  const content = html`<dl>${summary}${until(transaction, approval, dress.locale)}</dl>${page.content}`
  return sendScriptedPage(reply, { ...page, content, dress })
}

type Shown = {
  readonly title: string
  readonly content: Html
  readonly script: string
  readonly policy: readonly string[]
  readonly refreshSeconds?: number
}

function pageFor(approval: ShownApproval, returnUrl: string, locale: Locale): Shown {
  const text = WORDS[locale].provider
  switch (approval.kind) {
    case 'form':
      return formPage(approval, locale)
    case 'qr':
      return qrPage(approval, returnUrl, text)
    case 'voucher':
      return voucherPage(approval, returnUrl, text)
    case 'wait':
      return waitPage(approval, returnUrl, text)
  }
}

/** A voucher may be paid days later. */
function until({ outcome }: StoredTransaction, { kind }: ShownApproval, locale: Locale): Html {
  const { approval_expires_at: end } = outcome
  if (kind !== 'voucher' || !end) return html``
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  return html`<dt>${WORDS[locale].provider.payBy}</dt><dd><bdi>${format.format(new Date(end))} UTC</bdi></dd>`
}

/**
 * Sends the form by itself if scripts run, and by a button if not. Providers redirect on to the buyer's bank, and browsers
 * hold the rule for forms against redirects, too. So it allows the address's scheme, not only its host.
 */
function formPage({ url, fields }: Extract<ShownApproval, { kind: 'form' }>, locale: Locale): Shown {
  const text = WORDS[locale].provider
  const { protocol } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new Error('a form of a provider leads to no web page')
  const inputs = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return {
    title: WORDS[locale].approval.approve,
    content: html`<form method="post" action="${url}">${inputs}<button value="approve">${text.next}</button></form>
<p><small>${text.elsewhere}</small></p>`,
    // By its prototype: a field may be named submit.
    script: 'HTMLFormElement.prototype.submit.call(document.forms[0])',
    policy: [`form-action ${protocol === 'http:' ? 'http: https:' : protocol}`],
  }
}

const NO_FORM = ["form-action 'none'"]
/** How soon the page looks whether the buyer has paid. */
const LOOK_SECONDS = 10
/**
 * Looks quietly, so that the page does not move under the reader: loads it again only once it is another one. It looks at
 * once when the buyer comes back from the app.
 */
const LOOK = `const look = async () => {
  if (document.hidden) return
  const answer = await fetch(location.href, { redirect: 'manual' })
  if (answer.type === 'opaqueredirect' || (answer.ok && !(await answer.text()).includes('id="waiting"'))) location.reload()
}
const lookAgain = () => look().catch(() => {})
setInterval(lookAgain, ${LOOK_SECONDS * 1000})
addEventListener('visibilitychange', lookAgain)`

/** Copying and printing need scripts. The buttons are hidden without. */
const COPY = `const on = (id, work) => { const button = document.getElementById(id); button.hidden = false; button.onclick = () => work(button) }
if (navigator.clipboard) on('copy', (button) => navigator.clipboard.writeText(button.dataset.text).then(() => { button.textContent = button.dataset.done }))`

function qrPage(
  { text: code, url }: Extract<ShownApproval, { kind: 'qr' }>,
  returnUrl: string,
  text: Words['provider'],
): Shown {
  return {
    title: text.scan,
    content: html`${qrCode(code, text.qrCode)}
<p id="waiting">${text.scanText}</p>
<nav>${appLink(url, text)}
<button type="button" id="copy" data-text="${code}" data-done="${text.copied}" aria-live="polite" hidden>${text.copyCode}</button>
<a href="${returnUrl}">${text.paid}</a></nav>`,
    script: `${COPY}\n${LOOK}`,
    policy: [...NO_FORM, "connect-src 'self'"],
    refreshSeconds: LOOK_SECONDS,
  }
}

/** The provider has sent the buyer's phone a message. */
function waitPage(
  { url }: Extract<ShownApproval, { kind: 'wait' }>,
  returnUrl: string,
  text: Words['provider'],
): Shown {
  return {
    title: text.wait,
    content: html`<p id="waiting">${text.waitText}</p>
<nav>${appLink(url, text)}
<a href="${returnUrl}">${text.paid}</a></nav>`,
    script: LOOK,
    policy: [...NO_FORM, "connect-src 'self'"],
    refreshSeconds: LOOK_SECONDS,
  }
}

/** Dark on light in both colour schemes, because not every reader takes the reverse. */
function qrCode(text: string, label: string): Html {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return html`<svg viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${new Html(dark.join(''))}"/></svg>`
}

/** Without scripts, a tap selects the whole number. */
function voucherPage(
  { number, url }: Extract<ShownApproval, { kind: 'voucher' }>,
  returnUrl: string,
  text: Words['provider'],
): Shown {
  const printed = url === null ? null : safe(url)
  return {
    title: text.voucher,
    content: html`<p><output id="number" dir="ltr">${number}</output></p>
<p>${text.voucherText}</p>
<nav><button type="button" id="copy" value="approve" data-text="${number}" data-done="${text.copied}" aria-live="polite" hidden>${text.copy}</button>
<button type="button" id="print" hidden>${text.print}</button>
${printed !== null && html`<a href="${printed}">${text.showVoucher}</a>`}
<a href="${returnUrl}" class="quiet">${text.back}</a></nav>`,
    script: `${COPY}\non('print', () => print())`,
    policy: NO_FORM,
  }
}

function appLink(url: string | null, text: Words['provider']): Html {
  const here = url === null ? null : safe(url)
  return here === null ? html`` : html`<a href="${here}" class="main">${text.openApp}</a>`
}

/** The provider's own addresses, unless a browser would run or read them. */
function safe(url: string): string | null {
  return isRedirectUrl(url) && !url.startsWith('data:') ? url : null
}
