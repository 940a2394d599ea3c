import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { COUNTRIES } from '#domain/country.ts'
import { CURRENCIES } from '#domain/currency.ts'
import { writeNewFile } from '#platform/access/secrets.ts'
import { type Context, inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { isMadeNow } from '#platform/process/instance.ts'
import type { Registries } from '#processing/connectors.ts'
import { insertService } from '#processing/service-accounts/save.ts'
import { insertPair } from '#resources/api-key-pairs/create.ts'
import { describePrivateKey } from '#resources/api-key-pairs/keys.ts'
import * as giftCardServices from '#resources/gift-card-services/store.ts'
import { insertService as insertPaymentService } from '#resources/payment-services/create.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import * as roles from '#resources/roles/store.ts'
import type { Vault } from '#vault'
import { adminKeyFile } from '../server/src/config.ts'

/**
 * Gives a new sandbox its first key. The file comes before the row: a crash between the two leaves a file
 * whose key the next start registers, never a key without its private half. An existing file is used. Of
 * several processes that start at once, one makes the key. It is made only once: a deleted key stays deleted.
 */
export async function makeFirstKey(context: Context, dataDir: string): Promise<void> {
  await inTransaction(context, async (tx) => {
    if (!(await isMadeNow(tx, 'key'))) return
    const role = await roles.findBySlug(tx, 'administrator')
    if (!role) throw new Error('the administrator role is missing from the database')
    await insertPair(tx, {
      displayName: 'Administrator',
      active: true,
      publicKey: await describePrivateKey(keyIn(adminKeyFile(dataDir))),
      privateKey: null,
      roleIds: [role.id],
      merchantAccountIds: [],
    })
  })
}

/**
 * Gives a new sandbox a payment service, so that a first payment needs no setup. It is made only once, like
 * the first key. An installation that ever had a service gets none.
 */
export async function makeFirstService(
  context: Context,
  vault: Vault,
  registries: Pick<Registries, 'connectors'>,
): Promise<void> {
  if (!registries.connectors.find('mock-card')) return
  await inTransaction({ ...context, merchantAccountId: 'default' }, async (tx) => {
    if (!(await isMadeNow(tx, paymentServices.KIND.type))) return
    if (await paymentServices.isAny(tx)) return
    await connectSimulator(tx, vault, registries)
  })
}

/** The same for gift cards: a new sandbox gets a gift card service once. */
export async function makeFirstGiftCardService(
  context: Context,
  vault: Vault,
  registries: Pick<Registries, 'giftCards'>,
): Promise<void> {
  if (!registries.giftCards.find('mock-gift-card')) return
  await inTransaction({ ...context, merchantAccountId: 'default' }, async (tx) => {
    if (!(await isMadeNow(tx, giftCardServices.KIND.type))) return
    if (await giftCardServices.isAny(tx)) return
    await connectGiftCardSimulator(tx, vault, registries)
  })
}

/** Gives a merchant account a payment service at the simulator, without restrictions. Only for sandboxes. */
export async function connectSimulator(
  tx: Scope<Tx>,
  vault: Vault,
  { connectors }: Pick<Registries, 'connectors'>,
): Promise<void> {
  const connector = connectors.find('mock-card')
  if (!connector) return
  await insertPaymentService(tx, vault, connector, {
    display_name: 'Simulator',
    payment_service_definition_id: connector.manifest.id,
    fields: [
      { key: 'merchant_id', value: tx.merchantAccountId },
      // As real providers do, so that disputes can be answered.
      { key: 'dispute_notifications', value: 'true' },
    ],
    accepted_currencies: [...CURRENCIES],
    accepted_countries: [...COUNTRIES],
    three_d_secure_enabled: true,
    settlement_reporting_enabled: true,
  })
}

/** The same for gift cards. */
export async function connectGiftCardSimulator(
  tx: Scope<Tx>,
  vault: Vault,
  { giftCards }: Pick<Registries, 'giftCards'>,
): Promise<void> {
  const connector = giftCards.find('mock-gift-card')
  if (!connector) return
  await insertService(
    tx,
    giftCardServices.KIND,
    { vault, connector },
    {
      display_name: 'Gift card simulator',
      fields: [{ key: 'api_key', value: tx.merchantAccountId }],
    },
  )
}

function keyIn(file: string): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-521' })
  writeNewFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
  return readFileSync(file, 'utf8')
}
