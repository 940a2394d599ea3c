import type { Schemas } from '../../api/schema.d.ts'
import type { Mark, Marks, Tone } from '../parts/values.tsx'
import { plain } from '../transactions/words.ts'

type Delivery = Schemas['WebhookDelivery']
type Attempt = Schemas['WebhookAttempt']

/** Of a delivery. One that failed is sent again for days: until then it waits. */
export const STATUSES: Marks<Delivery['status']> = {
  waiting: { tone: 'wait', label: 'On its way' },
  delivered: { tone: 'good', label: 'Delivered' },
  parked: { tone: 'bad', label: 'Given up' },
}

/** An attempt has failed, and another follows. */
const FAILED: Mark = { tone: 'bad', label: 'Failed, tried again later' }

export function statusOf({ status, outcome }: Pick<Delivery, 'status' | 'outcome'>): Mark {
  return status === 'waiting' && outcome !== null && outcome !== 'delivered' ? FAILED : STATUSES[status]
}

type Healthy = Pick<Schemas['WebhookSubscription'], 'active' | 'failing_since'>

export function healthOf({ active, failing_since }: Healthy): Mark {
  if (!active) return { tone: 'mute', label: 'Disabled' }
  return failing_since ? { tone: 'bad', label: 'Failing' } : { tone: 'good', label: 'Active' }
}

/** Several subscriptions may go to one host. */
export function nameOf(url: string): string {
  const { host, pathname, search } = new URL(url)
  return `${host}${pathname === '/' ? '' : pathname}${search}`
}

const OUTCOMES: Readonly<Record<Attempt['outcome'], string>> = {
  delivered: 'Taken',
  refused: 'Refused',
  timed_out: 'No answer in time',
  unreachable: 'Not reached',
  answer_broken: 'The answer broke off',
  address_refused: 'The address is not allowed',
  token_refused: 'No token for the address',
}

/** A receiver whose answer did not arrive may have taken the event. */
export function toneOf(outcome: Attempt['outcome']): Tone {
  if (outcome === 'delivered') return 'good'
  return outcome === 'timed_out' || outcome === 'answer_broken' ? 'wait' : 'bad'
}

type Ended = Pick<Delivery, 'outcome' | 'response_status_code'>

/** How an attempt ended: the status of the answer, or why there is none. */
export function outcomeText({ outcome, response_status_code: status }: Ended): string {
  if (outcome === null) return 'Not tried yet'
  return status === null ? OUTCOMES[outcome] : `${OUTCOMES[outcome]}, ${status}`
}

const PARKED: Readonly<Record<NonNullable<Delivery['parked_because']>, string>> = {
  schedule_ended: 'It was tried for six days.',
  subscription_inactive: 'The subscription was not active.',
  subscription_deleted: 'The subscription was deleted.',
}

export function parkedText({ parked_because: why }: Delivery): string {
  return why === null ? '' : PARKED[why]
}

export function eventsText(events: readonly string[] | null): string {
  if (events === null) return 'All events'
  return events.length > 3
    ? `${events.slice(0, 2).join(', ')} and ${events.length - 2} more`
    : events.join(', ')
}

const AUTHENTICATION: Readonly<Record<Schemas['WebhookAuthentication']['kind'], string>> = {
  basic: 'User name and password',
  oauth_client_credentials: 'OAuth, as a client',
  oauth_password: 'OAuth, with a password',
}

export const AUTHENTICATION_OPTIONS = Object.entries(AUTHENTICATION).map(([value, label]) => ({
  value,
  label,
}))

export function authenticationText(authentication: Schemas['WebhookAuthentication'] | null): string {
  return authentication ? AUTHENTICATION[authentication.kind] : 'The signature alone'
}

export function reasonText({ reason }: Attempt): string {
  return reason === null ? '' : plain(reason)
}
