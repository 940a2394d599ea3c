import { openContract } from '#testing/published-contract.ts'
import contract from './contract.json' with { type: 'json' }

/** CyberSource's own description of its REST API: payments, and the search for transactions. */
export const cybersourceContract = openContract(contract)
