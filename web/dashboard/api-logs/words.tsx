import type { Schemas } from '../../api/schema.d.ts'
import { Status, type Tone } from '../parts/values.tsx'

type Entry = Schemas['APILog']

export function StatusCode({ of: status }: { readonly of: number }) {
  return <Status tone={toneOf(status)}>{status}</Status>
}

/** A fault of the service is not an answer: what was asked for may have happened. */
function toneOf(status: number): Tone {
  if (status >= 500) return 'wait'
  return status >= 400 ? 'bad' : 'good'
}

const AREAS: Readonly<Record<string, string>> = {
  transactions: '/transactions',
  refunds: '/refunds',
  buyers: '/buyers',
  payouts: '/payouts',
  'payment-methods': '/payment-methods',
  'gift-cards': '/gift-cards',
  'payment-links': '/payment-links',
  'webhook-subscriptions': '/developers/webhooks',
  'api-key-pairs': '/developers/keys',
  events: '/developers/events',
}

/** The page of the thing that a request was about. */
export function pathOfThing({ path }: Entry): string | null {
  const [, area = '', id] = /^[/]([a-z-]+)[/]([0-9a-f-]{36})(?=[/]|$)/.exec(path) ?? []
  const page = AREAS[area]
  return page && id ? `${page}/${id}` : null
}

export function pathOfCaller({ caller }: Entry): string | null {
  if (!caller) return null
  return caller.type === 'user' ? `/settings/users/${caller.id}` : `/developers/keys/${caller.id}`
}
