import { openContract } from '#testing/published-contract.ts'
import contract from './contract.json' with { type: 'json' }

/** Worldpay's own description of its 3DS API. */
export const worldpayContract = openContract(contract)
