import type { Schemas } from '../../api/schema.d.ts'
import type { IconName } from '../parts/icon.tsx'
import type { Tone } from '../parts/status.tsx'

type Item = Schemas['AttentionItem']

type Kind = {
  readonly icon: IconName
  /** What may be lost is `bad`; what only waits is `wait` or `info`. */
  readonly tone: Extract<Tone, 'bad' | 'wait' | 'info'>
  readonly title: (count: number, hasMore: boolean) => string
  /** What to do. */
  readonly text: string
}

const counted = (one: string, many: string) => (count: number, hasMore: boolean) =>
  count === 1 && !hasMore ? one : many

export const KINDS: Readonly<Record<Item['kind'], Kind>> = {
  pending_reviews: {
    icon: 'shield',
    tone: 'info',
    title: counted('A payment waits for your review', 'Payments wait for your review'),
    text: 'Accept or decline it. Its buyer is waiting.',
  },
  unresolvable_attempts: {
    icon: 'alert',
    tone: 'bad',
    title: counted('An outcome no provider can tell', 'Outcomes no provider can tell'),
    text: 'Look it up at the provider, and sync the payment.',
  },
  stuck_payments: {
    icon: 'clock',
    tone: 'wait',
    title: counted('A payment is processing for long', 'Payments are processing for long'),
    text: 'For more than five minutes. Sync it to ask the provider again.',
  },
  open_chargebacks: {
    icon: 'dispute',
    tone: 'bad',
    title: counted('A chargeback may need your answer', 'Chargebacks may need your answer'),
    text: 'The buyer’s bank has taken the money. Answer at the payment service, before its deadline, and note it here.',
  },
  open_incidents: {
    icon: 'monitor',
    tone: 'bad',
    title: counted('A monitor has an open incident', 'Monitors have open incidents'),
    text: 'The approval rate left its bounds. See when, and of which payments.',
  },
  undelivered_events: {
    icon: 'webhook',
    tone: 'bad',
    title: counted('An event was not delivered', 'Events were not delivered'),
    text: 'A webhook did not take them. Mend the receiver, then send them again.',
  },
  page_findings: {
    icon: 'alert',
    tone: 'bad',
    title: counted('A payment page is not as it was built', 'Payment pages are not as they were built'),
    text: 'The last check of the pages for buyers found a difference.',
  },
  expiring_certificates: {
    icon: 'key',
    tone: 'wait',
    title: counted('A certificate expires soon', 'Certificates expire soon'),
    text: 'Ask for a new one, and add it to the wallet before that day.',
  },
  unverified_services: {
    icon: 'service',
    tone: 'wait',
    title: counted('A payment service is not verified', 'Payment services are not verified'),
    text: 'Check its keys. It takes no payments until they work.',
  },
  disabled_services: {
    icon: 'service',
    tone: 'info',
    title: counted('A payment service is disabled', 'Payment services are disabled'),
    text: 'Enable it, or delete it if it is not used any more.',
  },
  unused_keys: {
    icon: 'key',
    tone: 'info',
    title: counted('An API key is not used', 'API keys are not used'),
    text: 'For 90 days. Deactivate it if no program needs it: then it cannot be stolen.',
  },
  failing_report_feeds: {
    icon: 'settlement',
    tone: 'wait',
    title: counted('Settlement files cannot be fetched', 'Settlement files cannot be fetched'),
    text: 'The service does not give its files. We try again every hour.',
  },
  unmatched_report_lines: {
    icon: 'settlement',
    tone: 'wait',
    title: counted('A settlement line fits no payment', 'Settlement lines fit no payment'),
    text: 'Begin with the oldest file: what has the provider paid, or kept, and why?',
  },
}

/** The server counts to a hundred. */
export function countOf({ count, has_more }: Pick<Item, 'count' | 'has_more'>): string {
  return has_more ? `${count}+` : String(count)
}
