import { COUNTRIES } from '#domain/country.ts'
import { CURRENCIES } from '#domain/currency.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import type { Registries } from '#processing/connectors.ts'
import { insertService } from '#processing/service-accounts/save.ts'
import * as giftCardServices from '#resources/gift-card-services/store.ts'
import { insertService as insertPaymentService } from '#resources/payment-services/create.ts'
import type { Vault } from '#vault'

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
    fields: [{ key: 'merchant_id', value: tx.merchantAccountId }],
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
