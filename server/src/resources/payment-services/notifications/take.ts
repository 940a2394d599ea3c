import type { FastifyInstance } from 'fastify'
import type {
  Approvable,
  Dispute,
  DisputeStep,
  LateFailure,
  Message,
  NewReport,
  Notification,
  Outcome,
} from '#connectors/contract/connector.ts'
import type { Context, Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import * as history from '#processing/attempts/history.ts'
import type { Engine } from '#processing/engine.ts'
import { serveServiceNotifications, takeMessage } from '#processing/service-accounts/notifications.ts'
import { findMany, KIND, listSiblings, type WorkingService } from '../store.ts'
import { hold } from './held/hold.ts'

/** Card schemes give buyers 120 days for most disputes, and banks some weeks more. */
const DISPUTED_WITHIN_MS = 180 * 24 * 3_600_000

/** What the kinds of notifications are about decides which slice takes them. */
export type Takers = {
  readonly payment: Take<Outcome>
  readonly payout: Take<Outcome>
  readonly dispute: Take<Dispute | DisputeStep>
  readonly lateFailure: Take<LateFailure>
  readonly approval: Take<Approvable>
  readonly report: Take<NewReport>
}
/** Returns whether it knows the subject of the notification, or wants the report. */
type Take<About extends Notification> = (
  scope: Scope,
  engine: Engine,
  paymentServiceId: string,
  told: About,
) => Promise<boolean>

type Desk = { readonly engine: Engine; readonly takers: Takers }
type Notified = { readonly service: WorkingService; readonly told: Notification }

/**
 * Takes outcomes from providers. What we know nothing of is held, and answered as if it had been taken: a provider that is
 * refused stops sending the messages that come after it.
 */
export function serveNotifications(
  app: FastifyInstance,
  { context, ...desk }: Desk & { readonly context: Context },
): void {
  serveServiceNotifications<WorkingService, Notification>(app, KIND, {
    context,
    findMany,
    isHeardAfterDeletion,
    engine: desk.engine,
    readerOf: readerOf(desk),
    take: async (scope, service, told) => {
      await takeOrHold(scope, desk, { service, told })
      return true
    },
  })
}

/** Whether it was taken at once. Otherwise it is held. */
async function takeOrHold(scope: Scope, desk: Desk, subject: Notified): Promise<boolean> {
  const isTaken = await takeAtAny(scope, desk, subject)
  if (!isTaken) await hold(scope, subject.service.id, subject.told)
  return isTaken
}

type Received =
  | { readonly outcome: 'taken' | 'held' }
  | { readonly outcome: 'rejected'; readonly message: string }

/** The same as if the message had come to the URL of the service. */
export async function receiveMessage(
  scope: Scope,
  desk: Desk,
  subject: { readonly service: WorkingService; readonly message: Message },
): Promise<Received> {
  let isHeld = false
  const take = async (scope: Scope, service: WorkingService, told: Notification) => {
    const isTaken = await takeOrHold(scope, desk, { service, told })
    isHeld ||= !isTaken
    return true
  }
  const { engine } = desk
  const taken = await takeMessage(scope, KIND, { engine, readerOf: readerOf(desk), take }, subject)
  return taken.outcome === 'rejected' ? taken : { outcome: isHeld ? 'held' : 'taken' }
}

/** Reads a message as if the provider had sent it to us, and takes it if it is about something of this service. */
export function takeServiceMessage(
  scope: Scope,
  desk: Desk,
  subject: { readonly service: WorkingService; readonly message: Message },
): ReturnType<typeof takeMessage> {
  const { engine } = desk
  return takeMessage<WorkingService, Notification>(
    scope,
    KIND,
    { engine, readerOf: readerOf(desk), take: (scope, { id }, told) => takeAt(scope, desk, id, told) },
    subject,
  )
}

function readerOf({ engine }: Desk) {
  return ({ payment_service_definition_id }: WorkingService) => {
    const connector = engine.providers.connectors.find(payment_service_definition_id)
    // Its package may come back. Until then the provider keeps the message.
    if (!connector) throw errors.unavailable()
    return connector.readNotification
  }
}

/**
 * One account at a provider may be used by several services, one for each method, and sends its messages to the
 * address of one. So the others are asked as well, deleted ones last. Returns whether one of them knows the subject.
 */
export async function takeAtAny(scope: Scope, desk: Desk, { service, told }: Notified): Promise<boolean> {
  const isTaken = await takeAt(scope, desk, service.id, told)
  // A report is for all of them: each finds its own payments in it. If none reads reports, none is missed.
  const isForAll = told.about === 'report'
  if (isTaken && !isForAll) return true
  for (const { id } of await listSiblings(scope, service)) {
    if ((await takeAt(scope, desk, id, told)) && !isForAll) return true
  }
  return isForAll
}

async function takeAt(
  scope: Scope,
  { engine, takers }: Desk,
  id: string,
  told: Notification,
): Promise<boolean> {
  switch (told.about) {
    case 'payout':
      return takers.payout(scope, engine, id, told)
    case 'chargeback':
    case 'chargeback_reversal':
    case 'dispute':
      return takers.dispute(scope, engine, id, told)
    case 'late_failure':
      return takers.lateFailure(scope, engine, id, told)
    case 'approvable':
      return takers.approval(scope, engine, id, told)
    case 'report':
      return takers.report(scope, engine, id, told)
    default:
      return takers.payment(scope, engine, id, told)
  }
}

/** Whether a deleted service still takes notifications: payments that it made can be disputed, or fail late. */
export async function isHeardAfterDeletion(
  scope: Scope,
  { id, deleted_at }: Pick<WorkingService, 'id' | 'deleted_at'>,
): Promise<boolean> {
  if (deleted_at === null) return true
  const isOver = scope.clock().getTime() - deleted_at.getTime() > DISPUTED_WITHIN_MS
  return !isOver && history.hasCapturedAt(scope, id)
}
