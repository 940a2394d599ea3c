import { openContract } from '#testing/published-contract.ts'
import contract from './contract.json' with { type: 'json' }

const LIST = 'GET /paymentQueries/payments'
const { [LIST]: list } = contract.operations
/** The contract requires dates, and says of `transactionReference` that it is the only parameter of its question. */
const { required: _dates, ...query } = list.query

/** Worldpay's own description of its APIs: 3DS, card payments, payment queries and events. */
export const worldpayContract = openContract({
  ...contract,
  operations: { ...contract.operations, [LIST]: { ...list, query } },
})
