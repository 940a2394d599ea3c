import type { GiftCardBalance } from '#domain/pay-page.ts'
import type { Context, Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { UNKEYED } from '#platform/idempotency/once.ts'
import type { Engine } from '#processing/engine.ts'
import { listOfBuyer } from '#resources/buyers/gift-cards/list.ts'
import { balanceComplaints, listBalances } from '#resources/gift-cards/balances/list.ts'
import type { GiftCardSummary } from '#resources/gift-cards/schemas.ts'
import type { Bill } from './bill.ts'
import type { GiftCardForm } from './schemas.ts'

/** The gift cards that are stored for the buyer, with what is on them. */
export async function listStoredGiftCards(
  context: Context,
  engine: Engine,
  { merchantAccountId, payment }: Bill,
): Promise<GiftCardBalance[]> {
  if (payment.buyerId === null) return []
  const scope: Scope = { ...context, merchantAccountId }
  return (await listOfBuyer(scope, engine, payment.buyerId)).map(toBalance)
}

/** What is on a gift card that the buyer has typed. */
export async function readGiftCard(
  context: Context,
  engine: Engine,
  { merchantAccountId, payment }: Bill,
  form: GiftCardForm,
): Promise<GiftCardBalance> {
  const request = { items: [form] }
  const complaints = balanceComplaints(request)
  if (complaints.length > 0) throw errors.invalid(...complaints)
  const scope: Scope = { ...context, merchantAccountId }
  const asked = { request, caller: payment.caller }
  const { answer } = await listBalances(scope, UNKEYED, engine, asked)
  const [balance] = answer.items.map(toBalance)
  if (!balance) throw new Error('a gift card has no balance')
  return balance
}

function toBalance({ id, last4, balance, currency }: GiftCardSummary): GiftCardBalance {
  return { id, last4, balance, currency }
}
