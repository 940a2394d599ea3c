import { randomBytes } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { Vault } from '../../vault/client.ts'
import { COUNTRIES } from './domain/country.ts'
import { CURRENCIES } from './domain/currency.ts'
import { makeFirstService } from './first-start.ts'
import { systemClock } from './platform/clock.ts'
import { type Context, type Database, openDatabase } from './platform/db.ts'
import { claimInstance } from './platform/instance.ts'
import { secretsFrom } from './platform/secrets.ts'
import { connectorsFor, connectorsOf } from './processing/connectors.ts'
import { deletePaymentService } from './resources/payment-services/delete.ts'
import * as paymentServices from './resources/payment-services/store.ts'
import { cloneDatabase, startTestService } from './testing/harness.ts'

const open: Database[] = []
afterEach(async () => {
  for (const database of open.splice(0)) await database.close()
})

/** A database as a first start finds it: migrated and claimed. */
async function newSandbox() {
  const database = openDatabase(await cloneDatabase(), { poolSize: 8, onError: () => {} })
  open.push(database)
  const context: Context = {
    db: database.db,
    clock: systemClock,
    actor: { id: null, name: 'test' },
    requestId: null,
  }
  await claimInstance(context, 'sandbox', secretsFrom(randomBytes(32)))
  const vault = await Vault.open(database.db, 'sandbox', { kind: 'given', keys: [randomBytes(32)] })
  const scope = { ...context, merchantAccountId: 'default' }
  return { context, scope, start: () => makeFirstService(context, vault, connectorsFor('sandbox')), vault }
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
      fields: [{ key: 'merchant_id', value: 'default' }],
    },
  ])
})

test('starting again, and several at once, makes it once', async () => {
  const { scope, start } = await newSandbox()

  await Promise.all([start(), start(), start(), start()])
  await start()

  expect(await paymentServices.listActive(scope, 'card')).toHaveLength(1)
})

test('one that was deleted stays deleted', async () => {
  const { scope, start, vault } = await newSandbox()
  await start()
  const [made] = await paymentServices.listActive(scope, 'card')
  await deletePaymentService(scope, vault, made?.id ?? '')

  await start()

  expect(await paymentServices.listActive(scope, 'card')).toEqual([])
})

test('an installation of an earlier version gets it at its next start, unless it has had a service', async () => {
  const early = await newSandbox()
  const used = await newSandbox()
  await used.start()
  const [made] = await paymentServices.listActive(used.scope, 'card')
  await deletePaymentService(used.scope, used.vault, made?.id ?? '')
  await used.context.db.updateTable('instance').set({ first_service_at: null }).execute()

  await early.start()
  await used.start()

  expect(await paymentServices.listActive(early.scope, 'card')).toHaveLength(1)
  expect(await paymentServices.listActive(used.scope, 'card')).toEqual([])
})

test('there is none without the simulator', async () => {
  const { context, scope, vault } = await newSandbox()

  await makeFirstService(context, vault, connectorsOf([]))

  expect(await paymentServices.listActive(scope, 'card')).toEqual([])
})
