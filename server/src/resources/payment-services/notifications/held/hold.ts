import { createHash } from 'node:crypto'
import type { Notification } from '#connectors/contract/connector.ts'
import type { Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import * as held from './store.ts'

/** A hundred times what a notification says. */
const BYTES_MAX = 32_768
/** The answer with the provider's id of it may arrive in the next moment. */
const FIRST_LOOK_MS = 1_000

/** Keeps what a provider told about something that we do not know yet. The job in `take-held.ts` looks again. */
export async function hold(scope: Scope, paymentServiceId: string, told: Notification): Promise<void> {
  const text = write(told)
  if (Buffer.byteLength(text) > BYTES_MAX) throw errors.refused('This notification is too long to be kept.')
  await held.insertOnce(scope, {
    payment_service_id: paymentServiceId,
    digest: createHash('sha256').update(text).digest('hex'),
    told: text,
    due_at: new Date(scope.clock().getTime() + FIRST_LOOK_MS),
  })
}

/** An approval may carry a token, which is secret. The outcome of a payment does not need it. */
function write(told: Notification): string {
  return JSON.stringify(told, (key, value) => (key === 'token' ? undefined : value))
}

const TIMES = ['postedAt', 'respondBy', 'failedAt', 'publishedAt']

export function read({ told }: Pick<held.Held, 'told'>): Notification {
  return JSON.parse(told, (key, value) =>
    TIMES.includes(key) && typeof value === 'string' ? new Date(value) : value,
  )
}

/** What an operator looks for at the provider. */
export function nameOf(told: Notification) {
  if (told.about === 'report') {
    return { about: told.about, reference: told.file.id, attemptId: null, reconciliationId: null }
  }
  const { about, reference, attemptId = null, reconciliationId = null } = told
  return { about, reference, attemptId, reconciliationId }
}
