import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTokenDesk, requestorIds } from '#testing/network-tokens.ts'
import { dropLeftTokens } from './drop-tokens.ts'

let service: TestService
let tokenizer: string
beforeAll(async () => {
  service = await startTestService()
  await service.send('PUT /merchant-accounts/default', requestorIds('default'))
  const made = await service.send('POST /payment-services', {
    display_name: 'Stores cards',
    payment_service_definition_id: 'mock-card',
    fields: [{ key: 'merchant_id', value: 'shop' }],
    accepted_currencies: ['USD'],
    accepted_countries: ['US'],
    payment_method_tokenization_enabled: true,
  })
  tokenizer = made.json().id
})
afterAll(() => service.close())

/** A stored card with a token of its scheme and one of a payment service. */
async function store() {
  const networkToken = await openTokenDesk(service, 'default').make()
  const { payment_method_id: id } = networkToken
  const made = await service.send(`POST /payment-methods/${id}/payment-service-tokens`, {
    payment_service_id: tokenizer,
    redirect_url: 'https://shop.example.com/stored',
  })
  expect(made.json()).toMatchObject({ status: 'succeeded' })
  return { id, networkToken: networkToken.id, serviceToken: made.json().id }
}

test('tokens that an older process has left with a deleted card are deleted, and no others', async () => {
  const [deleted, kept] = [await store(), await store()]
  // It knows no tokens, so it deletes only the card.
  await sql`update payment_methods set deleted_at = now(), vault_token = null where id = ${deleted.id}`.execute(
    service.context.db,
  )

  await dropLeftTokens(service.context, service.vault)
  await dropLeftTokens(service.context, service.vault)
  await service.resolveDue()

  const { rows } = await sql<{ kind: string; state: string; subject_id: string }>`
    select kind, state, subject_id from attempts where kind in ('delete-token', 'forget-token') order by kind
  `.execute(service.context.db)
  expect(rows).toEqual([
    { kind: 'delete-token', state: 'approved', subject_id: deleted.networkToken },
    { kind: 'forget-token', state: 'approved', subject_id: deleted.serviceToken },
  ])
  const desk = openTokenDesk(service, 'default')
  expect(await desk.books(deleted.networkToken)).toMatchObject([{ status: 'deleted' }])
  expect(await desk.list(kept.id)).toMatchObject([{ status: 'active' }])
  const { rows: sealed } = await sql<{ count: string }>`
    select count(*) from vault.items where field ~ '^(network|provider)-token of '
  `.execute(service.context.db)
  expect(sealed).toEqual([{ count: '2' }])
})
