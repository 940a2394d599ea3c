import type { Vault } from '../../../../vault/client.ts'
import type { Scope } from '../../platform/db.ts'
import { openFields } from '../payment-services/open-fields.ts'
import * as giftCardServices from './store.ts'

/** Everything the merchant entered for a gift card service, secrets included. It is on record before they are taken out. */
export function openServiceFields(
  scope: Scope,
  vault: Vault,
  service: giftCardServices.StoredService,
): Promise<Readonly<Record<string, string>>> {
  return openFields(scope, vault, service, { type: 'gift-card-service', find: giftCardServices.find })
}
