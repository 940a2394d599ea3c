import type { Connector, Link, VerifyAnswer } from '#connectors/contract/connector.ts'
import type { TokenizeOrder } from '#connectors/contract/orders.ts'
import { authorize, complete, tokenize } from './billing-request.ts'
import { cancel, forgetToken, refund } from './follow-ups.ts'
import { manifestOf } from './manifest.ts'
import { METHODS, type MethodRow } from './methods.ts'
import { readNotification } from './notification.ts'
import { reportsOf } from './reports.ts'
import { sync } from './sync.ts'
import { send } from './wire.ts'

/** Bank debits and bank payments of GoCardless's API. See docs/connectors/gocardless.md. */
export const goCardlessConnectors: readonly Connector[] = METHODS.map(connect)

function connect(row: MethodRow): Connector {
  return {
    manifest: manifestOf(row),
    authorize: (order, link) => authorize(order, link, row),
    complete,
    cancel,
    refund,
    ...(row.shape === 'debit' && {
      tokenize: (order: TokenizeOrder, link: Link) => tokenize(order, link, row),
      forgetToken,
    }),
    sync: (inquiry, link) => sync(inquiry, link, row),
    verify,
    readNotification,
    reports: reportsOf(row.method),
    trial: {
      hosts: ['api-sandbox.gocardless.com'],
      refuse: ({ access_token: token }) =>
        token?.startsWith('live_') ? 'access_token is that of live payments' : null,
      movesMoney: (_url, init) => init?.method === 'POST',
    },
  }
}

/** Asks for one payment: a question that needs the token and moves nothing. */
async function verify(link: Link): Promise<VerifyAnswer> {
  const reply = await send(link, { path: 'payments?limit=1' })
  if (reply.kind === 'answer' && Array.isArray(reply.body['payments'])) return { outcome: 'accepted' }
  return reply.kind === 'error' && [401, 403].includes(reply.status)
    ? {
        outcome: 'rejected',
        message: 'GoCardless does not accept the access token, or it is of the other environment',
      }
    : { outcome: 'unreachable', message: 'GoCardless gave no readable answer' }
}
