import { hash, randomUUID } from 'node:crypto'
import type { Secret } from '#connectors/contract/orders.ts'
import type {
  AuthenticateAnswer,
  Authenticated,
  IssuerAnswer,
  Scenario,
  ThreeDSecureConnector,
} from '#connectors/contract/three-d-secure.ts'

const VERSION = '2.2.0'

type CardAnswer = IssuerAnswer | 'setup_error'

/** The issuer's answer for each test card. Other cards do not take part. */
export const THREE_D_SECURE_CARDS: Readonly<Record<string, CardAnswer>> = {
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
  '4111111111108018': 'setup_error',
}

const TIMEOUT = {
  outcome: 'error',
  code: '402',
  description: 'Transaction timed out',
  component: 'D',
} as const

/**
 * The sandbox's 3-D Secure server. A scenario decides, otherwise the card number, so that every outcome can be
 * tested. Our own page asks the buyer in the issuer's place, and tells the decision.
 */
export const mockThreeDS: ThreeDSecureConnector = {
  manifest: { id: 'mock-three-ds', displayName: 'Mock 3-D Secure', fields: [], isSimulator: true },
  takesPart: (number) => answerFor(number) !== undefined,
  authenticate: async ({ number, scheme, scenario }) => {
    const answer = scenario?.answer ?? answerFor(number)
    return verdictOn(answer, scheme, scenario)
  },
  conclude: async ({ directoryTransactionId, scheme, returned, version, state }) => {
    switch (returned['decision'] === 'approve' ? state : 'N') {
      case 'N':
        return { outcome: 'refused', transactionStatus: 'N', version }
      case 'timeout':
        return { ...TIMEOUT, version }
      default:
        return done('Y', scheme, { version, directoryTransactionId: directoryTransactionId ?? randomUUID() })
    }
  },
}

function answerFor(number: Secret): CardAnswer | undefined {
  return number.use((bytes) => THREE_D_SECURE_CARDS[bytes.toString()])
}

function verdictOn(
  answer: CardAnswer | undefined,
  scheme: string,
  scenario: Scenario | null,
): AuthenticateAnswer {
  const version = scenario?.version ?? VERSION
  const directoryTransactionId = randomUUID()
  switch (answer) {
    case 'Y':
    case 'A':
    case 'U':
      return done(answer, scheme, { version, directoryTransactionId })
    case 'N':
    case 'R':
      return { outcome: 'refused', transactionStatus: answer, version }
    case 'C':
      return {
        outcome: 'challenge',
        version,
        directoryTransactionId,
        form: null,
        state: scenario?.result ?? 'Y',
      }
    case 'timeout':
      return { ...TIMEOUT, version: scenario?.version ?? null }
    case 'setup_error': {
      const description = 'The 3-D Secure server could not begin'
      return { outcome: 'setup_error', code: '403', description, component: 'S' }
    }
    case undefined: {
      const description = 'The card does not take part'
      return { outcome: 'error', version: null, code: '305', description, component: 'D' }
    }
  }
}

type Proved = { readonly version: string; readonly directoryTransactionId: string }

function done(answer: 'Y' | 'A' | 'U', scheme: string, proved: Proved): Authenticated {
  return { outcome: 'done', transactionStatus: answer, ...proofOf(answer, scheme, proved) }
}

/** Mastercard counts its e-commerce indicators from 00, the others from 05. */
function proofOf(answer: 'Y' | 'A' | 'U', scheme: string, { version, directoryTransactionId }: Proved) {
  const isMastercard = scheme === 'mastercard' || scheme === 'maestro'
  const eci = { Y: isMastercard ? '02' : '05', A: isMastercard ? '01' : '06', U: isMastercard ? '00' : '07' }
  const cavv = answer === 'U' ? null : hash('sha1', directoryTransactionId, 'base64')
  return { version, eci: eci[answer], cavv, directoryTransactionId }
}
