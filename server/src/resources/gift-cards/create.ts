import type { BalanceAnswer } from '#connectors/contract/gift-card.ts'
import type { Caller } from '#platform/access/auth.ts'
import { inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { Providers } from '#processing/provider.ts'
import { type ActiveService, needActiveService } from '#resources/gift-card-services/find-active.ts'
import type { Vault } from '#vault'
import { askBalance } from './ask-balance.ts'
import { findOwner } from './find-owner.ts'
import { claimPlace, insertCard, sealCard } from './keep-card.ts'
import type { TypedCard } from './present.ts'
import { clearCard, factsOf, readCard, readTime } from './read-card.ts'
import { noAnswer, refusal } from './refusal.ts'
import type { CreateGiftCard, GiftCard } from './schemas.ts'
import { showCard } from './show.ts'

type Needs = { readonly vault: Vault; readonly providers: Providers }
type Asked = { readonly request: CreateGiftCard; readonly caller: Caller }

/** Stores a card that the gift card service knows: number and PIN in the vault, the rest in a row, both in one commit. */
export async function createGiftCard(
  scope: Scope,
  once: Once,
  needs: Needs,
  { request, caller }: Asked,
): Promise<Finished<GiftCard>> {
  const active = await needActiveService(scope, needs.providers)
  const owner = await findOwner(scope, caller, request)
  const card = readCard(request)
  try {
    const fingerprint = await needs.vault.fingerprint(scope.db, card.number)
    const place = owner && { ...owner, fingerprint }
    // Checked before the service is asked, and again when the card is stored.
    if (place) await inTransaction(scope, (tx) => claimPlace(tx, place))
    const expiresAt = validate(await askBalance(scope, needs, active, card), scope.clock(), request)
    return await inFinalTransaction(scope, once, async (tx) => {
      if (place) await claimPlace(tx, place)
      const stored = await store(tx, needs.vault, card, { active, request, fingerprint, expiresAt, owner })
      return showCard(tx, stored)
    })
  } finally {
    clearCard(card)
  }
}

/** When the card expires, if the service accepts it. */
function validate(answer: BalanceAnswer, now: Date, request: CreateGiftCard): Date | null {
  if (answer.outcome === 'unknown') throw noAnswer()
  if (answer.outcome === 'refused') throw refusal(answer, request)
  const expiresAt = readTime(answer.expiresAt)
  if (expiresAt && expiresAt <= now) {
    throw errors.invalid(inBody('/number', 'value_error.expired', 'the gift card has expired'))
  }
  return expiresAt
}

type Known = {
  readonly active: ActiveService
  readonly request: CreateGiftCard
  readonly fingerprint: string
  readonly expiresAt: Date | null
  readonly owner: { readonly buyerId: string } | undefined
}

async function store(tx: Scope<Tx>, vault: Vault, card: TypedCard, known: Known) {
  const tokens = await sealCard(tx, vault, card)
  return insertCard(tx, {
    ...tokens,
    ...factsOf(known.request.number),
    gift_card_service_id: known.active.service.id,
    buyer_id: known.owner?.buyerId ?? null,
    fingerprint: known.fingerprint,
    expires_at: known.expiresAt,
  })
}
