import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Message, Notification } from '../../../../../connectors/contract/connector.ts'
import type { Context, Scope } from '../../../platform/db.ts'
import { errors } from '../../../platform/errors.ts'
import type { Engine } from '../../../processing/engine.ts'
import { askProvider } from '../../../processing/provider.ts'
import * as attempts from '../../transactions/attempts/store.ts'
import { notificationKey } from '../notification-key.ts'
import { openFields } from '../open-fields.ts'
import * as paymentServices from '../store.ts'

type Address = { readonly payment_service_id: string; readonly key: string }
type Read = Extract<Notification, { outcome: 'read' }>
type Needs = {
  readonly engine: Engine
  readonly context: Context
  /** Says whether it knew what the notification is about. */
  readonly take: (scope: Scope, engine: Engine, paymentServiceId: string, read: Read) => Promise<boolean>
}

/**
 * Where providers tell us how things ended. The address holds a key that cannot be guessed, and the connector checks
 * the message itself. What is not known yet is answered with 404, so that the provider sends it again.
 */
export function serveNotifications(app: FastifyInstance, { engine, context, take }: Needs): void {
  app.register((child, _options, done) => {
    // As bytes: signatures are made over them.
    child.removeAllContentTypeParsers()
    child.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    child.post<{ Params: Address }>(
      '/payment-services/:payment_service_id/notifications/:key',
      async ({ params, headers, body }, reply) => {
        const service = await findService(params)
        const message = { headers: flat(headers), body: Buffer.isBuffer(body) ? body : Buffer.alloc(0) }
        const scope = { ...context, merchantAccountId: service.merchant_account_id }
        const notification = await read(scope, service, message)
        if (notification.outcome === 'rejected') throw errors.refused(notification.message)
        if (notification.outcome === 'ignored') return reply.code(204).send()
        if (!(await take(scope, engine, service.id, notification))) throw errors.notFound()
        return reply.code(204).send()
      },
    )
    done()
  })

  async function findService({
    payment_service_id: id,
    key,
  }: Address): Promise<paymentServices.WorkingService> {
    const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)
    if (!isId || !isSame(notificationKey(engine.secrets, id), key)) throw errors.notFound()
    const service = (await paymentServices.findMany(context, [id])).get(id)
    if (!service || (service.deleted_at !== null && !(await isAwaited(service)))) throw errors.notFound()
    return service
  }

  /** A service that was deleted is still told how things ended that had begun. */
  async function isAwaited(service: paymentServices.WorkingService): Promise<boolean> {
    const scope = { ...context, merchantAccountId: service.merchant_account_id }
    return (await attempts.countOpenAt(scope, service.id)) > 0
  }

  async function read(
    scope: Scope,
    service: paymentServices.WorkingService,
    message: Message,
  ): Promise<Notification> {
    const connector = engine.providers.connectors.find(service.payment_service_definition_id)
    if (!connector?.readNotification)
      return { outcome: 'rejected', message: 'Notifications are not expected.' }
    const fields = await openFields(scope, engine.vault, service)
    const answer = await askProvider(engine.providers, connector.readNotification, message, {
      fields,
      options: {},
    })
    if (answer.outcome === 'unknown') throw errors.unavailable()
    return answer
  }
}

function isSame(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value ?? '')]))
}
