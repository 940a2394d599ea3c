import type { FastifyReply } from 'fastify'
import { localeFor } from '#domain/locale.ts'
import { type Dress, sendDressedPage } from '#platform/http/page.ts'
import { html } from '#platform/reference/html.ts'
import { lookOf } from '#resources/merchant-accounts/theme/look.ts'
import { WORDS } from '#words/words.ts'

/** The usual look, in the language that the browser asks for. */
export function plainDress({ request }: FastifyReply): Dress {
  return { locale: localeFor(null, request.headers['accept-language']), look: lookOf(undefined) }
}

/** For a buyer whose page cannot be shown: what happened, by the status of the answer, and what to do. */
export function showTrouble(reply: FastifyReply, { status }: { readonly status: number }): FastifyReply {
  const dress = plainDress(reply)
  const text = WORDS[dress.locale].approval
  const send = (title: string, sentence: string) =>
    sendDressedPage(reply, { title, content: html`<p>${sentence}</p>`, status, dress })
  if (status === 429) return send(text.tooMany, text.tooManyText)
  return status >= 500 ? send(text.broken, text.again) : send(text.unknown, text.incomplete)
}
