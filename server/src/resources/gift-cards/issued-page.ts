import type { FastifyInstance, FastifyReply } from 'fastify'
import { amountText } from '#domain/currency.ts'
import { errors } from '#platform/http/errors.ts'
import { answerErrorsAsPages } from '#platform/http/http-errors.ts'
import { type Dress, sendDressedPage, sendFormPage } from '#platform/http/page.ts'
import { type Html, html } from '#platform/reference/html.ts'
import type { Providers } from '#processing/provider.ts'
import { readWhole } from '#processing/provider.ts'
import { plainDress, showTrouble } from '#resources/approvals/show-trouble.ts'
import { WORDS } from '#words/words.ts'

type Address = { readonly issuance_id: string; readonly key: string }
type Issued = {
  readonly program: string
  readonly amount: number
  readonly currency: string
  readonly expiresAt: string | null
  /** Null until the buyer has asked for it. */
  readonly card: { readonly number: string; readonly pin: string } | null
}

const PATH = '/gift-cards/issued/:issuance_id/:key'
const ISSUER_URL = 'https://gift-cards.switchyard.invalid/issued'

/**
 * The page on which the buyer of an issued card sees it. It needs no script. The issuer makes its key and its limits, and
 * gives out number and PIN after a click.
 */
export function serveIssuedCards(app: FastifyInstance, { fetch }: Pick<Providers, 'fetch'>): void {
  app.register((pages, _options, ready) => {
    pages.removeAllContentTypeParsers()
    // The form has no fields: the request itself is the message.
    pages.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) => done(null, null))
    answerErrorsAsPages(pages, showTrouble)
    pages.route<{ Params: Address }>({
      method: ['GET', 'POST'],
      url: PATH,
      handler: async ({ params: { issuance_id: id, key }, method }, reply) => {
        // Refuses all else: `..` would lead to other pages of the issuer.
        if (!/^[0-9a-f-]{36}$/.test(id) || !/^[\w-]{1,100}$/.test(key)) throw errors.notFound()
        const response = await fetch(`${ISSUER_URL}/${id}/${key}`, {
          method: method === 'POST' ? 'POST' : 'GET',
        }).catch(({ cause }: Error) => {
          // The issuer runs in this process, so its errors are ours.
          throw cause
        })
        if (response.status === 404) throw errors.notFound()
        reply.headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
        return response.status === 410
          ? sendGone(reply)
          : sendIssued(reply, (await (await readWhole(response)).json()) as Issued, plainDress(reply))
      },
    })
    ready()
  })
}

function sendGone(reply: FastifyReply): FastifyReply {
  const dress = plainDress(reply)
  const { gone, goneText } = WORDS[dress.locale].giftCard
  return sendDressedPage(reply, { title: gone, content: html`<p>${goneText}</p>`, status: 410, dress })
}

function sendIssued(reply: FastifyReply, issued: Issued, dress: Dress): FastifyReply {
  const text = WORDS[dress.locale].giftCard
  const { card } = issued
  const summary = summaryOf(issued, dress)
  if (card === null) {
    const content = html`<dl>${summary}</dl>
<form method="post"><button value="approve">${text.show}</button></form>`
    return sendFormPage(reply, { title: text.title, content, next: null, dress })
  }
  const number = card.number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')
  const content = html`<dl>${summary}
<dt>${text.number}</dt><dd><bdi dir="ltr">${number}</bdi></dd>
<dt>${text.pin}</dt><dd><bdi dir="ltr">${card.pin}</bdi></dd></dl>
<p>${text.keep}</p>`
  return sendDressedPage(reply, { title: text.title, content, dress })
}

function summaryOf({ program, amount, currency, expiresAt }: Issued, { locale }: Dress): Html {
  const text = WORDS[locale].giftCard
  const sum = amount > 0 ? amountText(amount, currency, locale) : text.noneYet
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const end =
    expiresAt && html`<dt>${text.validUntil}</dt><dd><bdi>${date.format(new Date(expiresAt))}</bdi></dd>`
  return html`<dt>${text.from}</dt><dd><bdi>${program}</bdi></dd>
<dt>${WORDS[locale].approval.amount}</dt><dd><bdi>${sum}</bdi></dd>${end ?? ''}`
}
