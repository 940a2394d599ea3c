import type { FastifyInstance } from 'fastify'
import { amountText } from '#domain/currency.ts'
import type { Locale } from '#domain/locale.ts'
import { errors } from '#platform/http/errors.ts'
import { answerErrorsAsPages } from '#platform/http/http-errors.ts'
import { type Dress, sendFormPage } from '#platform/http/page.ts'
import { type Html, html } from '#platform/reference/html.ts'
import type { Providers } from '#processing/provider.ts'
import { readWhole } from '#processing/provider.ts'
import { plainDress, showTrouble } from '#resources/approvals/show-trouble.ts'
import { WORDS } from '#words/words.ts'

type Address = { readonly reference: string; readonly key: string }
type Approval = {
  readonly operation: string
  readonly product: string
  readonly status: string
  readonly amount: number
  readonly currency: string
  readonly merchant: string
  readonly return_url: string
}

const PATH = '/simulator/approvals/:reference/:key'
const PROCESSOR_URL = 'https://processor.simulator.invalid/approvals'

/**
 * The page of the simulated wallet on which a buyer approves a payment, or that the wallet is stored. It needs no
 * script. The simulator makes its address and takes the decision.
 */
export function serveSimulatedApprovals(app: FastifyInstance, { fetch, connectors }: Providers): void {
  if (!connectors.find('mock-paypal')) return
  app.register((pages, _options, ready) => {
    pages.removeAllContentTypeParsers()
    pages.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    answerErrorsAsPages(pages, showTrouble)
    pages.get<{ Params: Address }>(PATH, async ({ params }, reply) => {
      const approval = await ask(params)
      if (approval.status !== 'pending') return reply.redirect(approval.return_url, 303)
      return sendFormPage(reply, pageOf(approval, plainDress(reply)))
    })
    pages.post<{ Params: Address; Body: unknown }>(PATH, async ({ params, body }, reply) => {
      const { decision } = (body ?? {}) as { decision?: unknown }
      if (decision !== 'approve' && decision !== 'refuse') {
        return sendFormPage(reply, { ...pageOf(await ask(params), plainDress(reply)), status: 400 })
      }
      const { return_url } = await ask(params, { approve: decision === 'approve' })
      return reply.redirect(return_url, 303)
    })
    ready()
  })

  async function ask({ reference, key }: Address, decision?: object): Promise<Approval> {
    // Refuses all else: `..` would lead to other places of the simulator.
    if (!/^[0-9a-f-]{36}$/.test(reference) || !/^[\w-]{1,100}$/.test(key)) throw errors.notFound()
    const response = await fetch(`${PROCESSOR_URL}/${reference}/${key}`, {
      method: decision ? 'POST' : 'GET',
      ...(decision && { body: JSON.stringify(decision) }),
    })
    if (response.status !== 200) throw errors.notFound()
    return (await (await readWhole(response)).json()) as Approval
  }
}

function pageOf(approval: Approval, dress: Dress) {
  const { locale } = dress
  const title =
    approval.operation === 'tokenize' ? WORDS[locale].simulatedWallet.store : WORDS[locale].approval.approve
  return { title, content: formFor(approval, locale), next: approval.return_url, dress }
}

function formFor({ operation, product, merchant, amount, currency }: Approval, locale: Locale): Html {
  const text = WORDS[locale].approval
  const money = html`<dt>${text.amount}</dt><dd><bdi>${amountText(amount, currency, locale)}</bdi></dd>`
  return html`<dl><dt>${text.shop}</dt><dd><bdi>${merchant}</bdi></dd>${operation === 'tokenize' ? html`` : money}</dl>
${product === 'debit' && html`<p>${WORDS[locale].simulatedWallet.mandate}</p>`}
<form method="post">
<button name="decision" value="approve">${text.yes}</button>
<button name="decision" value="refuse">${text.no}</button>
</form>
<p><small>${WORDS[locale].simulatedWallet.simulated}</small></p>`
}
