import { openContract } from '#testing/published-contract.ts'
import contract from './contract.json' with { type: 'json' }

/** GoCardless's own description of its API. */
export const goCardlessContract = openContract(contract)
