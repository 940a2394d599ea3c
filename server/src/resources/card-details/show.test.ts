import { expect, test } from 'vitest'
import type { Caller } from '#platform/access/auth.ts'
import type { Scope } from '#platform/database/db.ts'
import { type Needs, type StoredCard, showCard } from './show.ts'

const ID = '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0005'
// Finds a stored card without a database.
const SCOPE = { scope: { merchantAccountId: 'shop' } as Scope, caller: {} as Caller }
const CARD: StoredCard = {
  bin: '670344',
  scheme: 'bancontact',
  additionalSchemes: ['maestro'],
  cardType: 'debit',
  country: 'BE',
}

const needs = (cardOfPaymentMethod: Needs['cardOfPaymentMethod']): Needs => ({
  publicUrl: 'https://pay.example.com',
  cardOfPaymentMethod,
})

test('shows a stored card of the merchant account, without its bin', async () => {
  const asked: string[] = []
  const find: Needs['cardOfPaymentMethod'] = async ({ merchantAccountId }, _caller, id) => {
    asked.push(merchantAccountId, id)
    return CARD
  }

  const shown = await showCard(
    SCOPE,
    { currency: 'EUR', intent: 'authorize', payment_method_id: ID },
    needs(find),
  )

  expect(shown).toMatchObject({
    id: null,
    scheme: 'bancontact',
    additional_schemes: ['maestro'],
    card_type: 'debit',
    country: 'BE',
    scheme_icon_url: 'https://pay.example.com/assets/card-schemes/bancontact.svg',
  })
  expect(asked).toEqual(['shop', ID])
})

test('says that there is no such card', async () => {
  const query = { currency: 'EUR', intent: 'authorize', payment_method_id: ID } as const

  await expect(
    showCard(
      SCOPE,
      query,
      needs(async () => undefined),
    ),
  ).rejects.toMatchObject({
    status: 400,
    details: [{ location: 'query', pointer: '/payment_method_id', type: 'value_error.not_found' }],
  })
})
