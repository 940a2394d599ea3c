import type { FastifyReply } from 'fastify'
import { amountText } from '#domain/currency.ts'
import { sendWholePage } from '#platform/page.ts'
import { type Html, html } from '#platform/reference/html.ts'
import { lineTotal } from '../cart.ts'
import type { StoredLink } from '../store.ts'
import type { FieldErrors, FieldName } from './read-form.ts'
import { styleFor } from './style.ts'
import { type Locale, TEXTS, type Texts } from './texts.ts'

/** A link as its page shows it. */
export type Shown = { readonly link: StoredLink; readonly merchant: string; readonly locale: Locale }

type Problem = { readonly note?: keyof Texts | undefined; readonly errors?: FieldErrors }

/** The order beside a form for a card. What the buyer typed before is not shown again. */
export function sendForm(reply: FastifyReply, shown: Shown, problem: Problem, status = 200): FastifyReply {
  const { link, locale } = shown
  const text = TEXTS[locale]
  const { note, errors = {} } = problem
  const amount = amountText(link.amount, link.currency, locale)
  const first = FIELDS.find(({ name }) => errors[name])?.name
  const content = html`<div class="parts">${orderOf(shown)}
<section class="part"><h2>${text.card}</h2>
${note ? html`<p class="notice" role="alert">${textOf(text, note)}</p>` : ''}
<form method="post" autocomplete="on">
${FIELDS.map((field) => fieldOf(field, text, { error: errors[field.name], isFirst: field.name === first }))}
<input type="hidden" name="tries" value="${link.tries}">
<button>${text.pay(amount)}</button>
</form>
${link.store && html`<p><small>${text.stored}</small></p>`}</section></div>`
  return send(reply, shown, { title: text.pay(amount), content, status, isForm: true })
}

type Say = {
  readonly title: keyof Texts
  readonly text: keyof Texts
  readonly status: number
  /** The buyer has just tried to pay, and nothing was charged for it. */
  readonly isRefusal?: boolean
  /** Where the browser goes on its own, and after how many seconds. Without a place, it loads this page again. */
  readonly next?: { readonly url?: string; readonly seconds: number; readonly text?: keyof Texts }
}

/** The order, and what became of it. */
export function sendState(reply: FastifyReply, shown: Shown, say: Say): FastifyReply {
  const { link, merchant, locale } = shown
  const text = TEXTS[locale]
  const { next } = say
  const back = next?.url === undefined ? link.document.merchant_url : undefined
  const content = html`<section class="part"><p class="merchant">${merchant}</p><h1>${textOf(text, say.title)}</h1>
<p role="status">${textOf(text, say.text)}</p>
${say.isRefusal && html`<p><strong>${text.notCharged}</strong></p>`}
<ul><li class="total"><span>${text.total}</span><b>${amountText(link.amount, link.currency, locale)}</b></li></ul>
${next?.url !== undefined && html`<p>${next.text && textOf(text, next.text)}</p><a class="button" rel="noreferrer" href="${next.url}">${next.text ? text.backTo(merchant) : text.approve}</a>`}
${back && html`<a class="button" rel="noreferrer" href="${back}">${text.backTo(merchant)}</a>`}</section>`
  const target = next && (next.url === undefined ? `${next.seconds}` : `${next.seconds}; url=${next.url}`)
  const head = target ? html`<meta http-equiv="refresh" content="${target}">` : undefined
  return send(reply, shown, { title: textOf(text, say.title), content, status: say.status, head })
}

/** Without a link: it is unknown, or could not be read. */
export function sendTrouble(
  reply: FastifyReply,
  locale: Locale,
  { title, text, status }: Pick<Say, 'title' | 'text' | 'status'>,
): FastifyReply {
  const texts = TEXTS[locale]
  const body = html`<main><section class="part"><h1>${textOf(texts, title)}</h1><p>${textOf(texts, text)}</p></section></main>`
  const page = { language: locale, title: textOf(texts, title), style: styleFor(null), body, status }
  return sendWholePage(reply, { ...page, policy: POLICY, frames: 'DENY' })
}

const POLICY = ["form-action 'self'", "frame-ancestors 'none'"]

type Sent = {
  readonly title: string
  readonly content: Html
  readonly status: number
  readonly head?: Html | undefined
  readonly isForm?: boolean
}

function send(reply: FastifyReply, { link, merchant, locale }: Shown, sent: Sent): FastifyReply {
  const { merchant_banner_url, merchant_favicon_url, merchant_color } = link.document
  const images = [merchant_banner_url, merchant_favicon_url].flatMap((url) =>
    url ? new URL(url).origin : [],
  )
  const isWide = sent.isForm && (link.document.cart_items ?? []).length > 0
  const body = html`<main${isWide && html` class="wide"`}>
${merchant_banner_url && html`<img class="banner" src="${merchant_banner_url}" alt="" referrerpolicy="no-referrer">`}
${sent.content}${footerOf(link, merchant, locale, sent.isForm ?? false)}</main>`
  return sendWholePage(reply, {
    language: locale,
    title: `${sent.title} – ${merchant}`,
    style: styleFor(merchant_color),
    head: html`<meta name="robots" content="noindex">${sent.head}${merchant_favicon_url && html`<link rel="icon" href="${merchant_favicon_url}">`}`,
    body,
    status: sent.status,
    policy: images.length > 0 ? [...POLICY, `img-src ${[...new Set(images)].join(' ')}`] : POLICY,
    frames: 'DENY',
  })
}

function orderOf({ link, merchant, locale }: Shown): Html {
  const text = TEXTS[locale]
  const { cart_items, merchant_message: message } = link.document
  const money = (amount: number | bigint) => amountText(amount, link.currency, locale)
  const lines = (cart_items ?? []).map(
    (item) =>
      html`<li><span>${item.name}${item.quantity > 1 && html` <span class="count">× ${new Intl.NumberFormat(locale).format(item.quantity)}</span>`}</span><b>${money(lineTotal(item))}</b></li>`,
  )
  return html`<section class="part"><p class="merchant">${merchant}</p><h1>${money(link.amount)}</h1>
${message && html`<p class="message">${message}</p>`}
${lines.length > 0 && html`<ul aria-label="${text.order}">${lines}<li class="total"><span>${text.total}</span><b>${money(link.amount)}</b></li></ul>`}
</section>`
}

function footerOf(link: StoredLink, merchant: string, locale: Locale, isForm: boolean): Html | null {
  const text = TEXTS[locale]
  const { merchant_url: home, merchant_terms_and_conditions_url: terms } = link.document
  if (!isForm && !terms) return null
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  return html`<footer>${isForm && html`<span>${text.validUntil(`${time.format(link.expires_at)} UTC`)}</span>`}
${terms && html`<a rel="noreferrer" target="_blank" href="${terms}">${text.terms}</a>`}
${isForm && home && html`<a rel="noreferrer" href="${home}">${text.backTo(merchant)}</a>`}</footer>`
}

type Field = {
  readonly name: FieldName
  readonly label: keyof Texts
  readonly autocomplete: string
  readonly maxLength: number
  readonly hint?: keyof Texts
  readonly example?: keyof Texts
  readonly isHalf: boolean
}

const FIELDS: readonly Field[] = [
  { name: 'number', label: 'number', autocomplete: 'cc-number', maxLength: 40, isHalf: false },
  {
    name: 'expiration_date',
    label: 'expiry',
    autocomplete: 'cc-exp',
    maxLength: 9,
    example: 'expiryExample',
    isHalf: true,
  },
  {
    name: 'security_code',
    label: 'code',
    autocomplete: 'cc-csc',
    maxLength: 4,
    hint: 'codeHint',
    isHalf: true,
  },
]

type Shape = { readonly error: keyof Texts | undefined; readonly isFirst: boolean }

function fieldOf({ name, label, isHalf, ...field }: Field, text: Texts, { error, isFirst }: Shape): Html {
  const { hint, example, autocomplete, maxLength } = field
  const told = [error ? `${name}-error` : [], hint ? `${name}-hint` : []].flat().join(' ')
  return html`<div class="field${isHalf && ' half'}"><label for="${name}">${textOf(text, label)}</label>
<input id="${name}" name="${name}" type="text" inputmode="numeric" autocomplete="${autocomplete}" maxlength="${maxLength}" required${example && html` placeholder="${textOf(text, example)}"`}${told !== '' && html` aria-describedby="${told}"`}${error && html` aria-invalid="true"`}${isFirst && html` autofocus`}>
${error && html`<p class="error" id="${name}-error">${textOf(text, error)}</p>`}${hint && html`<span class="hint" id="${name}-hint">${textOf(text, hint)}</span>`}</div>
`
}

function textOf(texts: Texts, name: keyof Texts): string {
  const text = texts[name]
  return typeof text === 'string' ? text : text('')
}
