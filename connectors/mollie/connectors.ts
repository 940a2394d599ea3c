import type { Connector } from '#connectors/contract/connector.ts'
import { registerNotifications, verify } from './account.ts'
import { authorize, complete } from './authorize.ts'
import { cancel, capture, refund, release } from './follow-ups.ts'
import { manifestOf } from './manifest.ts'
import { METHODS, type MethodRow } from './methods.ts'
import { readNotification } from './notification.ts'
import { reportsOf } from './reports.ts'
import { sync } from './sync.ts'

/** Methods of Mollie's Payments API (v2). See docs/connectors/mollie.md. */
export const mollieConnectors: readonly Connector[] = METHODS.map(connect)

function connect(row: MethodRow): Connector {
  return {
    manifest: manifestOf(row),
    authorize: (order, link) => authorize(order, link, row),
    complete,
    ...(row.captures && { capture, void: release }),
    cancel,
    refund,
    sync: (inquiry, link) => sync(inquiry, link, row),
    verify,
    registerNotifications,
    readNotification,
    reports: reportsOf(row.type),
    trial: {
      hosts: ['api.mollie.com'],
      refuse: ({ api_key: key }) => (key?.startsWith('live_') ? 'api_key is that of live payments' : null),
      movesMoney: (_url, init) => init?.method === 'POST' || init?.method === 'DELETE',
    },
  }
}
