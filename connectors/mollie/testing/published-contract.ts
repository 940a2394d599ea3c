import { openContract } from '#testing/published-contract.ts'
import contract from './contract.json' with { type: 'json' }

/** Mollie's own description of its API. */
export const mollieContract = openContract(contract)
