import type { FastifyInstance, FastifyReply } from 'fastify'
import type { BrowserLimit } from '#platform/access/rate-limit.ts'
import type { Context } from '#platform/database/db.ts'
import { errors, orNotFound } from '#platform/http/errors.ts'
import { answerErrorsAsPages } from '#platform/http/http-errors.ts'
import { isId } from '#platform/http/incoming.ts'
import { type Dress, sendDressedPage } from '#platform/http/page.ts'
import { html } from '#platform/reference/html.ts'
import type { Engine } from '#processing/engine.ts'
import { plainDress, showTrouble } from '#resources/approvals/show-trouble.ts'
import { lookOf } from '#resources/merchant-accounts/theme/look.ts'
import * as themes from '#resources/merchant-accounts/theme/store.ts'
import { WORDS } from '#words/words.ts'
import { isReturnKey } from './request-token.ts'
import { resolveNow } from './resolve.ts'
import * as tokens from './store.ts'

type Address = { readonly merchant_account_id: string; readonly token_id: string; readonly key: string }
type Needs = { readonly engine: Engine; readonly context: Context; readonly limit: BrowserLimit }

const PATH = '/payment-method-approvals/:merchant_account_id/:token_id/:key'

/**
 * Where the provider sends the buyer after an approval. We ask the provider for the outcome, then send the buyer to
 * the shop, so that the shop finds the outcome there.
 */
export function serveApprovalReturns(app: FastifyInstance, { engine, context, limit }: Needs): void {
  app.register((pages, _options, ready) => {
    answerErrorsAsPages(pages, showTrouble)
    pages.get<{ Params: Address }>(PATH, async ({ params, ip }, reply) => {
      const { merchant_account_id, token_id: id, key } = params
      if (!isId(id) || !isReturnKey(engine.secrets, { merchant_account_id, id }, key)) {
        await limit.countGuess(ip)
        throw errors.notFound()
      }
      await limit.count(`payment-method-approval/${id}`)
      const scope = { ...context, merchantAccountId: merchant_account_id }
      await resolveNow(scope, engine, id)
      const token = orNotFound(await tokens.find(scope, id))
      const dress = { ...plainDress(reply), look: lookOf(await themes.find(scope)) }
      return goBack(reply, token, dress)
    })
    ready()
  })
}

/** Clients use both spellings of the names. */
function goBack(reply: FastifyReply, token: tokens.StoredToken, dress: Dress): FastifyReply {
  const { redirect_url, payment_method_id, status } = token
  if (redirect_url.startsWith('data:')) {
    const { close } = WORDS[dress.locale].approval
    return sendDressedPage(reply, { title: titleOf(token, dress), content: html`<p>${close}</p>`, dress })
  }
  const url = new URL(redirect_url)
  for (const prefix of ['', 'gr4vy_']) {
    url.searchParams.set(`${prefix}payment_method_id`, payment_method_id)
    url.searchParams.set(`${prefix}payment_method_status`, status)
  }
  return reply.redirect(url.href, 303)
}

function titleOf({ status }: tokens.StoredToken, { locale }: Dress): string {
  const { stored, notStored } = WORDS[locale].stored
  if (status === 'succeeded') return stored
  return status === 'failed' ? notStored : WORDS[locale].approval.processing
}
