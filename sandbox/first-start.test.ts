import { randomBytes } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { COUNTRIES } from '#domain/country.ts'
import { CURRENCIES } from '#domain/currency.ts'
import { secretsFrom } from '#platform/access/secrets.ts'
import type { Context } from '#platform/database/db.ts'
import { type Database, openDatabase } from '#platform/database/open-database.ts'
import { systemClock } from '#platform/process/clock.ts'
import { claimInstance } from '#platform/process/instance.ts'
import { registriesFor } from '#processing/connectors.ts'
import { registryOf } from '#processing/service-accounts/registry.ts'
import { deleteService } from '#processing/service-accounts/save.ts'
import * as giftCardServices from '#resources/gift-card-services/store.ts'
import { deletePaymentService } from '#resources/payment-services/routes.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import { cloneDatabase, startTestService } from '#testing/harness.ts'
import { Vault } from '#vault'
import { makeFirstGiftCardService, makeFirstService } from './first-start.ts'
import { sandbox } from './open.ts'

const open: Database[] = []
afterEach(async () => {
  for (const database of open.splice(0)) await database.close()
})

/** A database before a first start: migrated and claimed. */
async function newSandbox() {
  const database = openDatabase(await cloneDatabase(), { poolSize: 8, onError: () => {} })
  open.push(database)
  const secrets = secretsFrom(randomBytes(32))
  const context: Context = {
    db: database.db,
    clock: systemClock,
    actor: { id: null, name: 'test' },
    requestId: null,
    mac: secrets.mac,
  }
  await claimInstance(context, 'sandbox', secrets)
  const vault = await Vault.open(database.db, 'sandbox', { kind: 'given', keys: [randomBytes(32)] })
  const scope = { ...context, merchantAccountId: 'default' }
  return {
    context,
    scope,
    start: () => makeFirstService(context, vault, registriesFor('sandbox', sandbox)),
    vault,
  }
}

test('a new sandbox has a payment service that takes every card payment', async () => {
  const service = await startTestService()

  const { items } = (await service.send('GET /payment-services')).json()
  await service.close()

  expect(items).toMatchObject([
    {
      display_name: 'Simulator',
      merchant_account_id: 'default',
      payment_service_definition_id: 'mock-card',
      active: true,
      position: 1,
      status: 'created',
      accepted_currencies: CURRENCIES,
      accepted_countries: COUNTRIES,
      three_d_secure_enabled: true,
      fields: [
        { key: 'dispute_notifications', value: 'true' },
        { key: 'merchant_id', value: 'default' },
      ],
    },
  ])
})

test('makes it once when started again, or several times at once', async () => {
  const { scope, start } = await newSandbox()

  await Promise.all([start(), start(), start(), start()])
  await start()

  expect(await paymentServices.listActive(scope, 'card')).toHaveLength(1)
})

test('a deleted service stays deleted', async () => {
  const { scope, start, vault } = await newSandbox()
  await start()
  const [made] = await paymentServices.listActive(scope, 'card')
  await deletePaymentService(scope, vault, made?.id ?? '')

  await start()

  expect(await paymentServices.listActive(scope, 'card')).toEqual([])
})

test('an installation without a service gets it at its next start, unless it ever had one', async () => {
  const early = await newSandbox()
  const used = await newSandbox()
  await used.start()
  const [made] = await paymentServices.listActive(used.scope, 'card')
  await deletePaymentService(used.scope, used.vault, made?.id ?? '')
  await used.context.db.deleteFrom('made_once').where('name', '=', 'payment-service').execute()

  await early.start()
  await used.start()

  expect(await paymentServices.listActive(early.scope, 'card')).toHaveLength(1)
  expect(await paymentServices.listActive(used.scope, 'card')).toEqual([])
})

test('without the simulator there is no payment service', async () => {
  const { context, scope, vault } = await newSandbox()

  await makeFirstService(context, vault, { connectors: registryOf([]) })

  expect(await paymentServices.listActive(scope, 'card')).toEqual([])
})

test('a new sandbox has a gift card service', async () => {
  const service = await startTestService()

  const { items } = (await service.send('GET /gift-card-services')).json()
  const balance = await service.send('POST /gift-cards/balances', {
    items: [{ number: '4123455541234561234', pin: '01000' }],
  })
  await service.close()

  expect(items).toMatchObject([
    {
      display_name: 'Gift card simulator',
      merchant_account_id: 'default',
      gift_card_service_definition_id: 'mock-gift-card',
      active: true,
      fields: [],
    },
  ])
  expect(balance.json().items).toMatchObject([{ balance: 1000, balance_error_code: null }])
})

test('its gift card service is made once, and one that was deleted stays deleted', async () => {
  const { context, scope, vault } = await newSandbox()
  const connectors = registriesFor('sandbox', sandbox)
  const start = () => makeFirstGiftCardService(context, vault, connectors)

  await Promise.all([start(), start(), start()])
  const made = await giftCardServices.findActive(scope)
  await deleteService(scope, giftCardServices.KIND, made?.id ?? '')
  await start()

  expect(made?.display_name).toBe('Gift card simulator')
  expect(await giftCardServices.findActive(scope)).toBeUndefined()
})

test('there is no gift card service without the simulator, or if there ever was one', async () => {
  const [bare, used] = [await newSandbox(), await newSandbox()]
  await makeFirstGiftCardService(used.context, used.vault, registriesFor('sandbox', sandbox))
  const made = await giftCardServices.findActive(used.scope)
  await deleteService(used.scope, giftCardServices.KIND, made?.id ?? '')
  await used.context.db.deleteFrom('made_once').where('name', '=', 'gift-card-service').execute()

  await makeFirstGiftCardService(bare.context, bare.vault, { giftCards: registryOf([]) })
  await makeFirstGiftCardService(used.context, used.vault, registriesFor('sandbox', sandbox))

  expect(await giftCardServices.findActive(bare.scope)).toBeUndefined()
  expect(await giftCardServices.findActive(used.scope)).toBeUndefined()
})
