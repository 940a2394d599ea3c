import type { FastifyReply } from 'fastify'
import { type Dress, sendFramePage, sendScriptedPage } from '#platform/http/page.ts'
import { html } from '#platform/reference/html.ts'
import { TEXTS } from '#words/approval.ts'

/** Whether the browser shows our answer in a frame. Only our own pages, and shops that show these, can do so. */
export function isFramed({ request }: FastifyReply): boolean {
  return request.headers['sec-fetch-dest'] === 'iframe'
}

/** What the page for paying hears when the buyer has decided. It then asks how the payment stands. */
const TELL = "parent.postMessage('switchyard-approval', location.origin)"
/** Only our own pages are heard: when the bank sends the buyer back, our page takes the place of the bank's. */
const PASS_ON = `addEventListener('message', ({ origin, data }) => {
  if (origin === location.origin && data === 'switchyard-approval') ${TELL}
})`

/** The end of an approval in a frame. The page around it goes on. */
export function sendDone(reply: FastifyReply, title: string, dress: Dress): FastifyReply {
  return sendScriptedPage(reply, {
    title,
    content: html`<p>${TEXTS[dress.locale].close}</p>`,
    dress,
    script: TELL,
    policy: ["form-action 'none'"],
  })
}

/**
 * Shows the provider's page in a frame of ours. So the page for paying, and the policy of the shop around it, name only us. A
 * bank leads to others, so the policy of this page names the scheme and no host.
 */
export function sendInFrame(reply: FastifyReply, url: string, dress: Dress): FastifyReply {
  const title = TEXTS[dress.locale].approve
  const { protocol } = new URL(url)
  return sendFramePage(reply, {
    title,
    dress,
    body: html`<iframe src="${url}" title="${title}" allow="payment; publickey-credentials-get"></iframe>`,
    script: PASS_ON,
    policy: [`frame-src ${protocol === 'http:' ? 'http: https:' : 'https:'}`, "form-action 'none'"],
  })
}
