import type { Scope } from '#platform/database/db.ts'
import { type ErrorDetail, errors, inBody } from '#platform/http/errors.ts'
import * as giftCardServices from '#resources/gift-card-services/store.ts'
import * as giftCards from '#resources/gift-cards/store.ts'
import { type GiftCardRequest, readGiftCard } from '#resources/transactions/wire/gift-card.ts'
import { Masked, type Vault } from '#vault'
import type { Order } from './order.ts'
import type { Owns } from './payer.ts'

/** A gift card of a payment, and how much it is to pay. */
type Part = {
  readonly amount: number
  readonly giftCardId: string | null
  readonly bin: string
  readonly subBin: string
  readonly last4: string
  /** Null for a stored card, whose number and PIN are already in the vault. */
  readonly typed: { readonly number: Masked; readonly pin: Masked } | null
}

export type Parts = { readonly serviceId: string; readonly parts: readonly Part[]; readonly amount: number }

type Found = Part & { readonly fingerprint: string; readonly buyerId: string | null }

/** The gift cards that a request pays with, in its order. */
export async function findGiftCards(
  scope: Scope,
  vault: Vault,
  order: Order,
  { owns, buyerId }: { readonly owns: Owns; readonly buyerId: string | null },
): Promise<Parts> {
  const given = order.gift_cards.map(readGiftCard)
  const service = await giftCardServices.findActive(scope)
  if (!service) {
    const message = 'set up a gift card service first: this merchant account has none'
    throw errors.invalid(inBody('/gift_cards', 'value_error.not_found', message))
  }
  const found: Found[] = []
  let holder = buyerId
  for (const [index, card] of given.entries()) {
    const read =
      card.kind === 'new' ? await typedCard(scope, vault, card.body) : await storedCard(card.body.id, index)
    holder ??= read.buyerId
    found.push({ ...read, amount: card.body.amount })
  }
  const named = found.flatMap(twins)
  if (named.length > 0) throw errors.invalid(...named)
  const amount = found.reduce((sum, card) => sum + card.amount, 0)
  return { serviceId: service.id, parts: found, amount }

  async function storedCard(id: string, index: number): Promise<Omit<Found, 'amount'>> {
    const card = await giftCards.find(scope, id)
    const isUsable = card && owns(card.buyer_id) && card.gift_card_service_id === service?.id
    if (!isUsable) {
      const message = 'there is no such stored gift card'
      throw errors.invalid(inBody(`/gift_cards/${index}/id`, 'value_error.not_found', message))
    }
    if (card.buyer_id !== null && holder !== null && card.buyer_id !== holder) {
      const message = 'the gift card belongs to another buyer'
      throw errors.invalid(inBody(`/gift_cards/${index}/id`, 'value_error.conflict', message))
    }
    const { bin, sub_bin: subBin, last4, fingerprint } = card
    return { giftCardId: card.id, bin, subBin, last4, fingerprint, buyerId: card.buyer_id, typed: null }
  }
}

type New = Extract<GiftCardRequest, { kind: 'new' }>['body']

async function typedCard(scope: Scope, vault: Vault, { number, pin }: New): Promise<Omit<Found, 'amount'>> {
  const masked = new Masked(number)
  return {
    giftCardId: null,
    bin: number.slice(0, 6),
    subBin: number.slice(6, 9),
    last4: number.slice(-4),
    fingerprint: await vault.fingerprint(scope.db, masked),
    buyerId: null,
    typed: { number: masked, pin: new Masked(pin) },
  }
}

function twins(card: Found, index: number, all: readonly Found[]): ErrorDetail[] {
  const isTwin = all.findIndex(({ fingerprint }) => fingerprint === card.fingerprint) < index
  return isTwin
    ? [inBody(`/gift_cards/${index}`, 'value_error.duplicate', 'this gift card is named twice')]
    : []
}
