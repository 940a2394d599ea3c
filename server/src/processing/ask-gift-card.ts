import type { Link, Unknown } from '#connectors/contract/connector.ts'
import type { GiftCardRefused, PresentedCard } from '#connectors/contract/gift-card.ts'
import { askProvider, type Line } from './provider.ts'

type Answer = { readonly outcome: string }
type Refused = Pick<GiftCardRefused, 'rawCode' | 'rawMessage'>

/**
 * Asks a gift card service. No database transaction may be open. Whatever goes wrong between us and the provider is an
 * unknown outcome: the request may have arrived. What the provider says in its own words never repeats the card.
 */
export async function askGiftCard<Order extends object, Result extends Answer>(
  line: Line,
  ask: (order: Order, link: Link) => Promise<Result>,
  order: Order & { readonly card?: PresentedCard },
  { fields, options = {} }: Pick<Link, 'fields'> & Partial<Pick<Link, 'options'>>,
): Promise<Result | Unknown> {
  const answer = await askProvider(line, ask, order, { fields, options })
  if (answer.outcome !== 'refused' || !order.card) return answer
  const { rawCode, rawMessage } = answer as unknown as Refused
  const { card } = order
  return { ...answer, rawCode: withoutCard(card, rawCode), rawMessage: withoutCard(card, rawMessage) }
}

function withoutCard({ number, pin }: PresentedCard, text: string | null): string | null {
  if (text === null) return null
  return [number, pin].reduce(
    (said, secret) => secret?.use((bytes) => said.replaceAll(bytes.toString(), '***')) ?? said,
    text,
  )
}
