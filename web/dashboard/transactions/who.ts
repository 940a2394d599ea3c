import type { Schemas } from '../../api/schema.d.ts'

type Paying = Pick<Schemas['TransactionSummary'], 'buyer'>

/** The person who pays, as well as they are known. Undefined: a guest who gave no name. */
export function buyerName({ buyer }: Paying): string | undefined {
  const { first_name, last_name, email_address } = buyer?.billing_details ?? {}
  const name = [first_name, last_name].filter(Boolean).join(' ')
  return buyer?.display_name || name || email_address || buyer?.external_identifier || undefined
}
