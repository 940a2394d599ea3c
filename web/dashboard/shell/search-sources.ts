import type { Schemas } from '../../api/schema.d.ts'
import type { Search } from '../address.ts'
import { send } from '../api/client.ts'
import type { IconName } from '../parts/icon.tsx'
import { moneyText } from '../parts/money.tsx'

export type Hit = {
  readonly icon: IconName
  readonly title: string
  readonly note: string
  readonly to: string
  readonly search?: Search
}

type May = (permission: string) => boolean

const FEW = 5

/** Asks each list that can find such a text, at once. Lists answer with nothing where a single thing would be an error. */
export async function searchEverywhere(text: string, may: May, signal: AbortSignal): Promise<Hit[]> {
  const found = await Promise.all([
    may('transactions.read') ? findTransactions(text, signal) : [],
    may('buyers.read') ? findBuyers(text, signal) : [],
  ])
  return found.flat()
}

async function findTransactions(text: string, signal: AbortSignal): Promise<Hit[]> {
  const filter = filterFor(text)
  const { items } = await send('GET /transactions', { query: { ...filter, limit: FEW }, signal })
  const hits = items.map(
    (one): Hit => ({
      icon: 'transactions',
      title: `${moneyText(one.amount, one.currency)} ${one.buyer?.display_name ?? nameOf(one.buyer) ?? ''}`,
      note: one.external_identifier ?? `${one.id.slice(0, 8)}…`,
      to: `/transactions/${one.id}`,
    }),
  )
  if (items.length < FEW) return hits
  return [
    ...hits,
    { icon: 'search', title: 'All of these transactions', note: text, to: '/transactions', search: filter },
  ]
}

/** Last four digits, an e-mail address, or any id and number of the payment. */
function filterFor(text: string): Record<string, string> {
  if (/^\d{4}$/.test(text)) return { payment_method_label: text }
  return text.includes('@') ? { buyer_email_address: text } : { search: text }
}

async function findBuyers(text: string, signal: AbortSignal): Promise<Hit[]> {
  const { items } = await send('GET /buyers', { query: { search: text, limit: FEW }, signal })
  return items.map((one) => ({
    icon: 'buyers',
    title: one.display_name ?? nameOf(one) ?? one.external_identifier ?? one.id,
    note: one.external_identifier ?? `${one.id.slice(0, 8)}…`,
    to: `/buyers/${one.id}`,
  }))
}

function nameOf(
  buyer: { readonly billing_details: Schemas['BillingDetails'] | null } | null,
): string | undefined {
  const { first_name, last_name, email_address } = buyer?.billing_details ?? {}
  return [first_name, last_name].filter(Boolean).join(' ') || email_address || undefined
}
