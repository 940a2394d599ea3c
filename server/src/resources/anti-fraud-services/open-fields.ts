import type { Vault } from '../../../../vault/client.ts'
import type { Scope } from '../../platform/db.ts'
import { openFields } from '../payment-services/open-fields.ts'
import * as antiFraudServices from './store.ts'

/** Everything the merchant entered for an anti-fraud service, secrets included. It is on record before they are taken out. */
export function openServiceFields(
  scope: Scope,
  vault: Vault,
  service: antiFraudServices.StoredService,
): Promise<Readonly<Record<string, string>>> {
  return openFields(scope, vault, service, { type: 'anti-fraud-service', find: antiFraudServices.find })
}
