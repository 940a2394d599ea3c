import type { ThreeDSScenario } from './schemas.ts'
import type { StoredScenario } from './store.ts'

export function showScenario(row: StoredScenario): ThreeDSScenario {
  const { id, merchant_account_id, first_name, last_name, email_address, amount, external_identifier } = row
  const { version, authentication_status, result_status } = row
  return {
    type: 'three-d-secure-scenario',
    id,
    merchant_account_id,
    conditions: {
      first_name,
      last_name,
      email_address,
      amount,
      external_identifier,
      card_number: row.card_masked,
    },
    outcome: {
      version,
      authentication: { transaction_status: authentication_status },
      result: result_status && { transaction_status: result_status },
    },
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

/** The name of a scenario in the audit log: the issuer's answers. */
export function nameOf({ authentication_status, result_status }: StoredScenario): string {
  return result_status ? `${authentication_status}, then ${result_status}` : authentication_status
}
