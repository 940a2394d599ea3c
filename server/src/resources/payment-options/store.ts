import type { Scope } from '#platform/database/db.ts'

/** The services that payments can go to, of any method, in the order in which they are tried. */
export function listActiveServices({ db, merchantAccountId }: Scope) {
  return db
    .selectFrom('payment_services')
    .select([
      'payment_service_definition_id',
      'accepted_currencies',
      'accepted_countries',
      'payment_method_tokenization_enabled',
    ])
    .where('merchant_account_id', '=', merchantAccountId)
    .where('active', '=', true)
    .where('status', '=', 'created')
    .where('deleted_at', 'is', null)
    .orderBy('position')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}
