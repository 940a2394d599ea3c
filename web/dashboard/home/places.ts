import type { Schemas } from '../../api/schema.d.ts'
import type { Search } from '../address.ts'

type Item = Schemas['AttentionItem']

type Place = { readonly to: string; readonly search: Search }

/**
 * Where the dashboard shows what an item names. The server gives the operation that lists it; a list of the dashboard has
 * filters of the same names.
 */
export function placeOf({ kind, path, query, ids }: Item): Place | null {
  const [, parent = '', id = ''] = path.split('/')
  switch (kind) {
    case 'pending_reviews':
      return { to: '/transactions', search: { pending_review: 'true' } }
    case 'stuck_payments':
      return {
        to: '/transactions',
        search: { status: 'processing', created_at: `..${String(query['created_at_lte'])}` },
      }
    case 'unresolvable_attempts':
      return { to: path, search: {} }
    case 'open_chargebacks':
      return { to: '/chargebacks', search: { status: 'open' } }
    case 'open_incidents':
      return {
        to: ids.length === 1 ? `/monitoring/incidents/${ids[0]}` : '/monitoring/incidents',
        search: {},
      }
    case 'failing_webhooks':
      return { to: `/developers/webhooks/${id}`, search: { status: 'waiting' } }
    case 'undelivered_events':
      return { to: `/developers/webhooks/${id}`, search: { status: 'parked' } }
    case 'page_findings':
      return { to: '/settings/pages', search: {} }
    case 'expiring_certificates':
      return { to: `/digital-wallets/${id}`, search: {} }
    case 'unverified_services':
    case 'disabled_services':
      return { to: ids.length === 1 ? `/payment-services/${ids[0]}` : '/payment-services', search: {} }
    case 'unused_keys':
      return { to: ids.length === 1 ? `/developers/keys/${ids[0]}` : '/developers/keys', search: {} }
    case 'failing_report_feeds':
      return { to: '/payment-service-reports', search: {} }
    case 'unmatched_report_lines':
      return {
        to:
          parent === 'payment-service-reports' && id
            ? `/payment-service-reports/${id}`
            : '/payment-service-reports',
        search: { matched: 'false' },
      }
    default:
      return null
  }
}
