import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import type {
  Answer,
  AuthorizeAnswer,
  Connector,
  Message,
  Notification,
  Reading,
  RegisterAnswer,
} from '#connectors/contract/connector.ts'
import type { Field, Manifest } from '#connectors/contract/manifest.ts'
import type { AuthorizeOrder, CaptureOrder, CompleteOrder, RefundOrder } from '#connectors/contract/orders.ts'
import type { TestService } from './harness.ts'
import { parseSheet } from './report-sheet.ts'

const KEY = 'key-of-the-teller'

/** A provider with two methods that answers, and tells by notifications, whatever a test wants. */
export class Teller {
  /** The orders that it got, oldest first. */
  readonly orders: (AuthorizeOrder | CaptureOrder | RefundOrder)[] = []
  authorize: (order: AuthorizeOrder) => Promise<AuthorizeAnswer> = async ({ attemptId }) =>
    approvedAs(attemptId)
  followUp: (order: CaptureOrder | RefundOrder) => Promise<Answer> = async ({ attemptId }) =>
    approvedAs(attemptId)
  complete: (order: CompleteOrder) => Promise<AuthorizeAnswer> = async ({ reference }) =>
    approvedAs(reference)
  register: (url: string) => Promise<RegisterAnswer> = async () => ({ outcome: 'registered', fields: {} })

  /** Its report files, by their ids. */
  readonly files = new Map<string, Buffer>()

  readonly connectors: readonly Connector[] = [
    this.connector('teller-card', { method: 'card', mode: 'card', instruments: ['card'] }),
    this.connector('teller-ideal', { method: 'ideal', mode: 'redirect', instruments: ['redirect'] }),
  ]

  private async *read(fileId: string) {
    yield this.files.get(fileId) ?? Buffer.alloc(0)
  }

  private connector(id: string, own: Pick<Manifest, 'method' | 'mode' | 'instruments'>): Connector {
    const noted = <Order extends this['orders'][number], Result>(ask: (order: Order) => Promise<Result>) => {
      return (order: Order) => {
        this.orders.push(order)
        return ask(order)
      }
    }
    return {
      manifest: { ...MANIFEST, id, displayName: id, ...own },
      authorize: noted((order) => this.authorize(order)),
      complete: (order) => this.complete(order),
      capture: noted((order) => this.followUp(order)),
      refund: noted((order) => this.followUp(order)),
      readNotification: async (message, { fields }) => readMessage(message, fields['webhook_key']),
      reports: { read: (id) => this.read(id), parse: parseSheet },
      registerNotifications: (url) => this.register(url),
    }
  }
}

export function approvedAs(reference: string) {
  return { outcome: 'approved', reference, facts: {} } as const
}

/** A service of the teller. It accepts messages with its key. */
export async function addTellerService(
  service: TestService,
  definition: 'teller-card' | 'teller-ideal',
  {
    account,
    fields = { webhook_key: KEY },
  }: { readonly account?: string; readonly fields?: Record<string, string> } = {},
): Promise<{ readonly id: string; readonly webhook_url: string }> {
  const response = await service.send(
    'POST /payment-services',
    {
      display_name: definition,
      payment_service_definition_id: definition,
      fields: Object.entries(fields).map(([key, value]) => ({ key, value })),
      accepted_currencies: ['USD', 'EUR'],
      accepted_countries: ['US', 'NL'],
    },
    account === undefined ? {} : { account },
  )
  expect(response.statusCode, response.body).toBe(201)
  return response.json()
}

/** Sends a message with these notifications to the address of a service. */
export function tell(
  { app }: TestService,
  { webhook_url }: { readonly webhook_url: string },
  notifications: readonly Notification[],
  {
    key = KEY,
    ...more
  }: { readonly key?: string; readonly acknowledgement?: string; readonly unread?: readonly string[] } = {},
): Promise<LightMyRequestResponse> {
  return app.inject({
    method: 'POST',
    url: new URL(webhook_url).pathname,
    headers: { 'content-type': 'application/json', 'x-key': key },
    payload: JSON.stringify({ notifications, ...more }),
  })
}

function readMessage({ headers, body }: Message, key: string | undefined): Reading {
  if (!key || headers['x-key'] !== key) return { outcome: 'rejected', message: 'the key does not fit' }
  const isTime = (name: string) => ['postedAt', 'failedAt', 'publishedAt'].includes(name)
  const read = JSON.parse(body.toString(), (name, value) => (isTime(name) ? new Date(value) : value))
  return { outcome: 'read', ...read }
}

const WEBHOOK_KEY: Field = {
  key: 'webhook_key',
  displayName: 'Webhook key',
  isRequired: false,
  format: 'text',
  isSecret: true,
  isVerifiable: false,
}

const MANIFEST = {
  fields: [WEBHOOK_KEY],
  reportingFields: [],
  currencies: 'all',
  countries: 'all',
  isSimulator: true,
  recovery: { by: 'notification' },
  capabilities: {
    directCapture: true,
    multipleCaptures: true,
    overCapture: false,
    remainderVoids: false,
    partialRefunds: true,
    partialAuthorization: false,
    zeroAuthorization: false,
    threeDSecurePassThrough: false,
    threeDSecureByProvider: false,
  },
} satisfies Partial<Manifest>
