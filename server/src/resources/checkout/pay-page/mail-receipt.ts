import { formatAmount } from '#domain/amount-text.ts'
import { CARD_SCHEMES } from '#domain/card-scheme.ts'
import { directionOf, type Locale } from '#domain/locale.ts'
import type { OrderFacts, OwnPayment } from '#domain/pay-page.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import { type Context, inTransaction } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { escaped, type Mail } from '#platform/mail/mailer.ts'
import { countOf, post } from '#platform/mail/outbox.ts'
import { WORDS } from '#words/words.ts'

/** For each payment and day: a page must not be a way to flood somebody. */
const MAILS_MAX = 3
const DAY_SECONDS = 24 * 3_600

type Receipt = {
  readonly to: string
  readonly locale: Locale
  readonly order: OrderFacts
  readonly own: OwnPayment
}

/** Sends the receipt of a payment to its buyer. */
export async function mailReceipt(context: Context, secrets: Secrets, receipt: Receipt): Promise<void> {
  const topic = `receipts/${receipt.own.id}`
  if ((await countOf(context, topic)) >= MAILS_MAX) throw errors.tooManyRequests(DAY_SECONDS, 'receipts')
  await inTransaction(context, (tx) => post(tx, secrets, topic, receiptOf(receipt)))
}

/** What the page shows, as an e-mail. The time is that of no place: nobody knows where the buyer reads it. */
export function receiptOf({ to, locale, order, own }: Receipt): Mail {
  const words = WORDS[locale].pay
  const { currency, minor_units: minorUnits, merchant } = order
  const money = (amount: number) =>
    formatAmount(amount, { currency, minorUnits: minorUnits ?? undefined, locale })
  const { gift_card_amount: gifts, scheme, label } = own
  const method = order.methods.find((one) => one.method === own.method)?.label
  const name = label ? `${scheme ? CARD_SCHEMES[scheme] : ''} •••• ${label}`.trim() : method
  const isSplit = gifts > 0 && gifts < order.amount
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  const lines = [
    [merchant.name, money(order.amount)],
    [words.giftCards, gifts > 0 && money(gifts)],
    isSplit ? [name ?? words.method, money(order.amount - gifts)] : [label ? words.card : words.method, name],
    [words.date, `${date.format(new Date(own.created_at))} UTC`],
    [words.orderNumber, own.external_identifier],
    [words.reference, own.id],
  ].flatMap(([title, value]) => (title && value ? [[title, value] as const] : []))
  const rows = lines.map(
    ([title, value]) =>
      `<tr><th align="start" style="font-weight:normal;padding:4px 24px 4px 0">${escaped(title)}</th>` +
      `<td align="end" style="padding:4px 0"><bdi>${escaped(value)}</bdi></td></tr>`,
  )
  return {
    to,
    subject: words.receiptFrom.replace('{merchant}', merchant.name),
    text: `${words.paidText}\n\n${lines.map(([title, value]) => `${title}: ${value}`).join('\n')}\n`,
    html:
      `<div lang="${locale}" dir="${directionOf(locale)}" style="font-family:sans-serif;max-width:32rem">` +
      `<h1 style="font-size:20px">${escaped(words.paid)}</h1><p>${escaped(words.paidText)}</p>` +
      `<table style="width:100%;border-top:1px solid #ccc">${rows.join('')}</table></div>`,
  }
}
