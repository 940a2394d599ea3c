import type { Facts, Link, Refused, Unknown } from '#connectors/contract/connector.ts'
import type { GiftCardRefused, GiftCardSyncAnswer, PresentedCard } from '#connectors/contract/gift-card.ts'
import { type Asking, askProvider, type Line } from './provider.ts'

type Answer = { readonly outcome: string }
type InItsWords = Pick<GiftCardRefused, 'rawCode' | 'rawMessage'>

/**
 * Asks a gift card service. No database transaction may be open. Any error between us and the provider is an
 * unknown outcome, because the request may have arrived. Card data is removed from the provider's own texts.
 */
export async function askGiftCard<Order extends object, Result extends Answer>(
  line: Line,
  ask: (order: Order, link: Link) => Promise<Result>,
  order: Order & { readonly card?: PresentedCard },
  {
    fields,
    options = {},
    transcript,
  }: Pick<Link, 'fields'> & Partial<Pick<Asking, 'options' | 'transcript'>>,
): Promise<Result | Unknown> {
  const answer = await askProvider(line, ask, order, { fields, options, transcript })
  if (answer.outcome !== 'refused' || !order.card) return answer
  const { rawCode, rawMessage } = answer as unknown as InItsWords
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

/** A gift card service's answer in the words of payment services. An approval keeps its other details. */
export type GiftCardTold =
  | {
      readonly outcome: 'approved'
      readonly reference: string
      readonly facts: Facts
      readonly expiresAt?: string | null
      readonly url?: string
    }
  | Refused
  | Unknown
  | { readonly outcome: 'not_found' }

export function inPaymentWords(answer: GiftCardSyncAnswer): GiftCardTold {
  if (answer.outcome === 'approved') return { ...answer, facts: {} }
  if (answer.outcome !== 'refused') return answer
  const { code, rawCode, rawMessage } = answer
  return {
    outcome: 'declined',
    // Gift cards have their own codes. To the merchant they are error codes like any other.
    code: code as Refused['code'],
    isRetriable: false,
    reference: null,
    facts: { rawCode, rawDescription: rawMessage },
  }
}
