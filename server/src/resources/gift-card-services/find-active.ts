import type { GiftCardConnector } from '#connectors/contract/gift-card.ts'
import type { Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import type { Providers } from '#processing/provider.ts'
import * as giftCardServices from './store.ts'

/** A gift card service and its connector. */
export type ActiveService = {
  readonly service: giftCardServices.StoredService
  readonly connector: GiftCardConnector
}

/** The active gift card service of a merchant account. Undefined if there is none. */
export async function findActiveService(
  scope: Scope,
  { giftCards }: Pick<Providers, 'giftCards'>,
): Promise<ActiveService | undefined> {
  const service = await giftCardServices.findActive(scope)
  const connector = service && giftCards.find(service.gift_card_service_definition_id)
  return service && connector && { service, connector }
}

/** The same, for operations that need one. */
export async function needActiveService(
  scope: Scope,
  providers: Pick<Providers, 'giftCards'>,
): Promise<ActiveService> {
  const active = await findActiveService(scope, providers)
  if (!active) throw errors.refused('Activate a gift card service first: this merchant account has none.')
  return active
}
