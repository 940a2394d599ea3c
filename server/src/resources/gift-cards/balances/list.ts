import type { Caller } from '#platform/access/auth.ts'
import type { Scope } from '#platform/database/db.ts'
import { type ErrorDetail, errors, inBody } from '#platform/http/errors.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import type { Sound } from '#platform/http/validation.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { Providers } from '#processing/provider.ts'
import { isOwnBuyer } from '#resources/buyers/find-named.ts'
import { needActiveService } from '#resources/gift-card-services/find-active.ts'
import { complaintsIn, Variants } from '#resources/transactions/wire/variants.ts'
import type { Vault } from '#vault'
import { askBalance } from '../ask-balance.ts'
import type { GiftCardSource } from '../present.ts'
import { clearCard, factsOf, readCard } from '../read-card.ts'
import { GiftCardNumber, type GiftCardSummaries, Pin } from '../schemas.ts'
import { showBalance } from '../show.ts'
import * as giftCards from '../store.ts'

const NewGiftCardBalance = Strict(
  { number: GiftCardNumber, pin: Pin },
  {
    title: 'NewGiftCardBalance',
    description: 'A gift card by its number.',
    examples: [{ number: '4123455541234561234', pin: '01000' }],
  },
)

const StoredGiftCardBalance = Strict(
  { id: Uuid({ description: 'The stored gift card.' }) },
  {
    title: 'StoredGiftCardBalance',
    description: 'A stored gift card.',
    examples: [{ id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0007' }],
  },
)

type Needs = { readonly vault: Vault; readonly providers: Providers }
type Asked = { readonly request: GiftCardBalanceRequest; readonly caller: Caller }
type Item = GiftCardBalanceRequest['items'][number]
type Found = {
  readonly source: GiftCardSource
  readonly facts: Parameters<typeof showBalance>[1]
}

/**
 * The balances of cards, in the order of the request. A balance that is not available is null, with its
 * reason.
 */
export async function listBalances(
  scope: Scope,
  once: Once,
  needs: Needs,
  { request, caller }: Asked,
): Promise<Finished<GiftCardSummaries>> {
  const active = await needActiveService(scope, needs.providers)
  const found = await findCards(scope, request.items, caller)
  try {
    await refuseTwins(scope, needs.vault, found)
    const items = await Promise.all(
      found.map(async ({ source, facts }) =>
        showBalance(scope.merchantAccountId, facts, await askBalance(scope, needs, active, source)),
      ),
    )
    return await inFinalTransaction(scope, once, async () => ({ items }))
  } finally {
    for (const { source } of found) if (source.kind === 'typed') clearCard(source)
  }
}

/** Checks each card against the shape that the caller meant. */
export function balanceComplaints({ items }: Sound<GiftCardBalanceRequest>): ErrorDetail[] {
  return (items ?? []).flatMap((item, index) => {
    if (item === undefined) return []
    return complaintsIn(`/items/${index}`, 'id' in item ? StoredGiftCardBalance : NewGiftCardBalance, item)
  })
}

function isStored(item: Item): item is Extract<Item, { readonly id: string }> {
  return 'id' in item
}

/** A browser token knows only its own buyer's cards. All others look unknown to it. */
async function findCards(scope: Scope, items: readonly Item[], caller: Caller): Promise<Found[]> {
  const isOwn = await isOwnBuyer(scope, caller)
  const ids = items.flatMap((item) => (isStored(item) ? item.id : []))
  const stored = await giftCards.findMany(scope, ids)
  const known = items.map((item) => {
    const card = isStored(item) ? stored.get(item.id) : undefined
    return card && isOwn(card.buyer_id) ? card : undefined
  })
  const missing = items.flatMap((item, index) =>
    isStored(item) && !known[index]
      ? [inBody(`/items/${index}/id`, 'value_error.not_found', 'there is no such gift card')]
      : [],
  )
  if (missing.length > 0) throw errors.invalid(...missing)
  return items.flatMap((item, index): Found[] => {
    if (!isStored(item)) return [{ source: readCard(item), facts: factsOf(item.number) }]
    const card = known[index]
    return card ? [{ source: { kind: 'stored', card }, facts: card }] : []
  })
}

/** The same card listed twice would look like two balances. */
async function refuseTwins(scope: Scope, vault: Vault, found: readonly Found[]): Promise<void> {
  const fingerprints = await Promise.all(
    found.map(({ source }) =>
      source.kind === 'stored' ? source.card.fingerprint : vault.fingerprint(scope.db, source.number),
    ),
  )
  const twins = fingerprints.flatMap((fingerprint, index) =>
    fingerprints.indexOf(fingerprint) < index
      ? [inBody(`/items/${index}`, 'value_error.duplicate', 'remove it: the gift card is in the list twice')]
      : [],
  )
  if (twins.length > 0) throw errors.invalid(...twins)
}

export function giftCardBalanceRequest(cardsMax: number) {
  return Strict(
    {
      items: Type.Array(
        Variants([NewGiftCardBalance, StoredGiftCardBalance], 'A gift card, by its number or by its id.'),
        { minItems: 1, maxItems: cardsMax, description: 'The cards. None may be listed twice.' },
      ),
    },
    {
      title: 'GiftCardBalanceRequest',
      examples: [{ items: [{ number: '4123455541234561234', pin: '01000' }] }],
    },
  )
}
type GiftCardBalanceRequest = Static<ReturnType<typeof giftCardBalanceRequest>>
