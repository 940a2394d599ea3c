import { hash, randomUUID } from 'node:crypto'
import type { Secret } from '#connectors/contract/orders.ts'
import type { Proof, ThreeDSecureServer, Verdict } from './three-d-secure.ts'

const VERSION = '2.2.0'

/** The issuer's answer for each test card. Other cards do not take part. */
export const THREE_D_SECURE_CARDS: Readonly<Record<string, 'Y' | 'A' | 'U' | 'N' | 'R' | 'C' | 'timeout'>> = {
  '4111111111101203': 'Y',
  '5200000000001203': 'Y',
  '340000000022003': 'Y',
  '3558111111121203': 'Y',
  '8171998927611203': 'Y',
  '4111111111102011': 'C',
  '5200000000002011': 'C',
  '340000000022011': 'C',
  '4111111111103019': 'A',
  '4111111111104017': 'N',
  '4111111111105014': 'R',
  '4111111111106012': 'U',
  '4111111111107010': 'timeout',
}

/** The sandbox's 3-D Secure server. The card number decides, so that every outcome can be tested. */
export const simulatedThreeDSecure: ThreeDSecureServer = {
  isEnrolled: (number) => outcomeFor(number) !== undefined,
  authenticate: async ({ number, scheme }) => verdictOn(outcomeFor(number), scheme),
  conclude: async ({ directoryTransactionId, scheme, isApproved }) =>
    isApproved ? proofOf('Y', scheme, directoryTransactionId) : 'refused',
}

function outcomeFor(number: Secret) {
  return number.use((bytes) => THREE_D_SECURE_CARDS[bytes.toString()])
}

function verdictOn(outcome: ReturnType<typeof outcomeFor>, scheme: string): Verdict {
  switch (outcome) {
    case 'Y':
    case 'A':
    case 'U':
      return { outcome: 'done', transactionStatus: outcome, ...proofOf(outcome, scheme, randomUUID()) }
    case 'N':
    case 'R':
      return { outcome: 'refused', transactionStatus: outcome, version: VERSION }
    case 'C':
      return { outcome: 'challenge', version: VERSION, directoryTransactionId: randomUUID() }
    case 'timeout':
      return { outcome: 'error', code: '402', description: 'Transaction timed out', component: 'D' }
    default:
      return { outcome: 'error', code: '305', description: 'The card does not take part', component: 'D' }
  }
}

/** Mastercard counts its e-commerce indicators from 00, the others from 05. */
function proofOf(outcome: 'Y' | 'A' | 'U', scheme: string, directoryTransactionId: string): Proof {
  const isMastercard = scheme === 'mastercard' || scheme === 'maestro'
  const eci = { Y: isMastercard ? '02' : '05', A: isMastercard ? '01' : '06', U: isMastercard ? '00' : '07' }
  const cavv = outcome === 'U' ? null : hash('sha1', directoryTransactionId, 'base64')
  return { version: VERSION, eci: eci[outcome], cavv, directoryTransactionId }
}
