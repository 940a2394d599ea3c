import type { Schemas } from '../../api/schema.d.ts'
import { capital } from '../parts/locale.ts'
import { Status, type Tone } from '../parts/values.tsx'

type Event = Schemas['Event']

const AREAS: Readonly<Record<string, string>> = {
  transaction: '/transactions',
  refund: '/refunds',
  buyer: '/buyers',
  payout: '/payouts',
  'payment-method': '/payment-methods',
  'gift-card': '/gift-cards',
  'payment-link': '/payment-links',
  'api-key-pair': '/developers/keys',
  'webhook-subscription': '/developers/webhooks',
}

/** The page of what an event is about. Null: there is none, or it was deleted. */
export function pathOfTarget({ name, target }: Event): string | null {
  if (name.endsWith('.deleted')) return null
  const { transaction_id: transactionId } = target as { readonly transaction_id?: unknown }
  if (target.type === 'capture' && typeof transactionId === 'string') return `/transactions/${transactionId}`
  const area = AREAS[target.type]
  return area === undefined ? null : `${area}/${target.id}`
}

export function targetText({ target }: Event): string {
  return capital(target.type.replaceAll('-', ' '))
}

/** What went wrong is `bad`, what is not decided is `wait`; most events only tell that something happened. */
function toneOf(name: string): Tone {
  if (/declined|failed|charged-back/.test(name)) return 'bad'
  return name.endsWith('pending') ? 'wait' : 'mute'
}

export function EventName({ name }: { readonly name: string }) {
  return <Status tone={toneOf(name)}>{name}</Status>
}
