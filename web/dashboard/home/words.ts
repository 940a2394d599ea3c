import type { Schemas } from '../../api/schema.d.ts'
import type { IconName } from '../parts/controls.tsx'
import type { Tone } from '../parts/values.tsx'

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
    title: counted('A payment awaits review', 'Payments await review'),
    text: 'Accept or reject it. The buyer is waiting.',
  },
  unresolvable_attempts: {
    icon: 'alert',
    tone: 'bad',
    title: counted('A payment with an unknown outcome', 'Payments with an unknown outcome'),
    text: 'Check it at the provider, then sync the payment.',
  },
  stuck_payments: {
    icon: 'clock',
    tone: 'wait',
    title: counted('A payment has been processing for long', 'Payments have been processing for long'),
    text: 'More than five minutes. Sync it to ask the provider again.',
  },
  open_chargebacks: {
    icon: 'dispute',
    tone: 'bad',
    title: counted('A chargeback may need your answer', 'Chargebacks may need your answer'),
    text: 'The buyer’s bank has taken the money. Answer at the payment service before its deadline, then mark it as answered here.',
  },
  open_incidents: {
    icon: 'monitor',
    tone: 'bad',
    title: counted('A monitor has an open incident', 'Monitors have open incidents'),
    text: 'The approval rate is out of bounds. See when, and for which payments.',
  },
  failing_webhooks: {
    icon: 'webhook',
    tone: 'bad',
    title: counted('A webhook takes nothing', 'Webhooks take nothing'),
    text: 'Every attempt fails. See what the receiver answers, and mend it: events wait for six days.',
  },
  undelivered_events: {
    icon: 'webhook',
    tone: 'bad',
    title: counted('An event was not delivered', 'Events were not delivered'),
    text: 'A webhook receiver did not accept them. Fix it, then replay them.',
  },
  page_findings: {
    icon: 'alert',
    tone: 'bad',
    title: counted('A payment page was changed', 'Payment pages were changed'),
    text: 'The last integrity check found a difference.',
  },
  expiring_certificates: {
    icon: 'key',
    tone: 'wait',
    title: counted('A certificate expires soon', 'Certificates expire soon'),
    text: 'Request a new one, and add it to the wallet in time.',
  },
  unverified_services: {
    icon: 'service',
    tone: 'wait',
    title: counted('A payment service is not verified', 'Payment services are not verified'),
    text: 'Check its credentials. It takes no payments until they work.',
  },
  disabled_services: {
    icon: 'service',
    tone: 'info',
    title: counted('A payment service is disabled', 'Payment services are disabled'),
    text: 'Enable it, or delete it if you no longer need it.',
  },
  unused_keys: {
    icon: 'key',
    tone: 'info',
    title: counted('An API key is unused', 'API keys are unused'),
    text: 'For 90 days. Disable it if nothing needs it.',
  },
  failing_report_feeds: {
    icon: 'settlement',
    tone: 'wait',
    title: counted('Settlement files cannot be fetched', 'Settlement files cannot be fetched'),
    text: 'The service does not provide its files. We retry every hour.',
  },
  unmatched_report_lines: {
    icon: 'settlement',
    tone: 'wait',
    title: counted('A settlement line matches no payment', 'Settlement lines match no payment'),
    text: 'Start with the oldest file, and check what the provider paid or kept.',
  },
}

/** The server counts to a hundred. */
export function countOf({ count, has_more }: Pick<Item, 'count' | 'has_more'>): string {
  return has_more ? `${count}+` : String(count)
}
