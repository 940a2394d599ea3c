import type { FastifyReply } from 'fastify'
import type { ThreeDSecureForm } from '#connectors/contract/three-d-secure.ts'
import { CARD_SCHEMES, type CardScheme } from '#domain/card-scheme.ts'
import { openState } from '#payments/plan/three-ds-server.ts'
import type { StoredTransaction } from '#payments/store/payments.ts'
import { type Dress, sendFormPage, sendFramePage, sendScriptedPage } from '#platform/http/page.ts'
import { type Html, html } from '#platform/reference/html.ts'
import type { Engine } from '#processing/engine.ts'
import { WORDS } from '#words/words.ts'
import { returnUrl } from './return-url.ts'

/** Longer than issuers need to know a device. The buyer waits no longer for it. */
const DEVICE_WAIT_MS = 10_000

/**
 * Sends the form of the provider into the hidden frame, hears what the frame tells, and goes on with it: after its first message, or when
 * it has had its time.
 */
const COLLECT = `const [own, theirs] = document.forms
const set = (name, value) => { own.elements.namedItem(name).value = String(value) }
let isGone = false
const go = () => {
  if (isGone) return
  isGone = true
  own.submit()
}
set('javascript_enabled', true)
set('java_enabled', navigator.javaEnabled?.() === true)
set('language', navigator.language)
set('color_depth', screen.colorDepth)
set('screen_height', screen.height)
set('screen_width', screen.width)
set('time_zone_offset', (new Date).getTimezoneOffset())
addEventListener('message', ({ origin, data }) => {
  if (origin !== own.dataset.origin) return
  set('told', typeof data === 'string' ? data : JSON.stringify(data))
  go()
})
setTimeout(go, ${DEVICE_WAIT_MS})
HTMLFormElement.prototype.submit.call(theirs)`

type Shown = {
  readonly dress: Dress
  /** Who asks, and for how much. */
  readonly summary: Html
}

const RELOAD_SECONDS = 2

/** Another answer of the browser is on its way to the issuer. The page opens again until that is decided. */
function sendUnderWay(reply: FastifyReply, { dress, summary }: Shown): FastifyReply {
  return sendScriptedPage(reply, {
    title: WORDS[dress.locale].approval.approve,
    content: html`<dl>${summary}</dl>
<p role="status">${WORDS[dress.locale].provider.checking}</p>`,
    dress,
    script: `setTimeout(() => location.replace(location.href), ${RELOAD_SECONDS * 1000})`,
    refreshSeconds: RELOAD_SECONDS,
    policy: ["form-action 'none'"],
  })
}

/** What 3-D Secure wants of the buyer: to wait, to go to the issuer's page, or to decide on the sandbox's stand-in for it. */
export function sendChallenge(
  reply: FastifyReply,
  engine: Pick<Engine, 'secrets'>,
  transaction: StoredTransaction,
  { status, ...shown }: Shown & { readonly status: number },
): FastifyReply {
  const { challenge } = transaction.document
  if (challenge?.stage === 'asked') return sendUnderWay(reply, shown)
  const form = challenge && openState(engine, transaction.id, challenge).form
  const next = returnUrl(transaction)
  if (!form) return sendFormPage(reply, { ...simulated(transaction, shown), next, status })
  if (challenge.stage === 'device') return sendDevicePage(reply, { form, next, ...shown })
  return sendIssuersPage(reply, { form, dress: shown.dress })
}

/** What the sandbox's stand-in for an issuer shows: who asks, how much, and two ways to decide. */
function simulated({ document: { payment_method: method } }: StoredTransaction, { dress, summary }: Shown) {
  const text = WORDS[dress.locale].approval
  const content = html`<dl>
${summary}
<dt>${text.card}</dt><dd><bdi dir="ltr">${CARD_SCHEMES[(method?.scheme ?? 'other') as CardScheme]} •••• ${method?.label ?? ''}</bdi></dd>
</dl>
<form method="post">
<button name="decision" value="approve">${text.yes}</button>
<button name="decision" value="refuse">${text.no}</button>
</form>
<p><small>${text.simulated}</small></p>`
  return { title: text.approve, content, dress }
}

type Collecting = Shown & {
  readonly form: ThreeDSecureForm
  /** Where the answer to our form may send the browser. */
  readonly next: string | null
}

/** The browser tells the issuer about itself. Without scripts a button goes on, and the issuer knows less. */
function sendDevicePage(reply: FastifyReply, { form, dress, summary, next }: Collecting): FastifyReply {
  const text = WORDS[dress.locale].provider
  const scheme = next === null ? undefined : URL.parse(next)?.protocol
  const { origin } = new URL(form.url)
  const content = html`<dl>${summary}</dl>
<form method="post" data-origin="${origin}">${hidden(Object.fromEntries(TOLD.map((name) => [name, ''])))}<noscript><button value="approve">${text.next}</button></noscript></form>
<form method="post" action="${form.url}" target="device">${hidden(form.fields)}</form>
<p role="status">${text.checking}</p>
<iframe name="device" hidden title="${text.checking}"></iframe>`
  return sendScriptedPage(reply, {
    title: WORDS[dress.locale].approval.approve,
    content,
    dress,
    script: COLLECT,
    policy: [
      `frame-src 'self' ${schemesFor(form)}`,
      `form-action ${[...new Set(["'self'", schemesFor(form), ...(scheme ? [scheme] : [])])].join(' ')}`,
    ],
  })
}

const TOLD = [
  'told',
  'javascript_enabled',
  'java_enabled',
  'language',
  'color_depth',
  'screen_height',
  'screen_width',
  'time_zone_offset',
]

/**
 * When the buyer comes back from the issuer, our own page takes the place of the issuer's in the frame, and says so. A page for paying
 * around this one is told; otherwise this page opens again, and leads back to the shop.
 */
const SHOW = `addEventListener('message', ({ origin, data }) => {
  if (origin !== location.origin || data !== 'switchyard-approval') return
  if (parent === window) location.replace(location.href)
  else parent.postMessage(data, location.origin)
})
HTMLFormElement.prototype.submit.call(document.forms[0])`

/** Shows the issuer's page in a frame of ours, which fills the window. An issuer leads to others, so the policy names the scheme and no host. */
function sendIssuersPage(
  reply: FastifyReply,
  { form, dress }: Pick<Collecting, 'form' | 'dress'>,
): FastifyReply {
  const title = WORDS[dress.locale].approval.approve
  const { next } = WORDS[dress.locale].provider
  return sendFramePage(reply, {
    title,
    dress,
    body: html`<form method="post" action="${form.url}" target="issuer">${hidden(form.fields)}<noscript><button>${next}</button></noscript></form>
<iframe name="issuer" title="${title}" allow="payment; publickey-credentials-get"></iframe>`,
    script: SHOW,
    policy: [`frame-src 'self' ${schemesFor(form)}`, `form-action ${schemesFor(form)}`],
  })
}

function hidden(fields: Readonly<Record<string, string>>): Html[] {
  return Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
}

function schemesFor({ url }: ThreeDSecureForm): string {
  return new URL(url).protocol === 'http:' ? 'http: https:' : 'https:'
}
