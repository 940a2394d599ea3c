import type { Unknown } from '#connectors/contract/connector.ts'
import type {
  AuthenticateAnswer,
  Authenticated,
  AuthenticationError,
  AuthenticationRefused,
  ConcludeAnswer,
} from '#connectors/contract/three-d-secure.ts'
import { type Answered, isRecord, textOf, type Wire } from './wire.ts'

/** What an outcome of Worldpay means, of an authentication and of a verification. */
export const OUTCOMES = {
  authenticated: 'proof',
  /** A wallet has authenticated already. Cards are not said to be. */
  alreadyAuthenticated: 'nothing',
  /** A rule that the merchant has set up at Worldpay lets the payment pass. */
  bypassed: 'nothing',
  authenticationFailed: 'refused',
  /** Somebody has changed the issuer’s answer on its way. */
  signatureFailed: 'refused',
  challenged: 'challenge',
  notEnrolled: 'not_enrolled',
  unavailable: 'no_answer',
  authenticationOutage: 'outage',
} as const satisfies Record<string, string>

export function readAuthentication(answer: Answered): AuthenticateAnswer {
  if (answer.outcome !== 'answered') return answer
  const { body } = answer
  return meaningOf(body) === 'challenge' ? challengeIn(body) : ended(body, null)
}

/** `version` is that of the challenge: a refusal need not name one. */
export function readVerification(answer: Answered, version: string): ConcludeAnswer {
  if (answer.outcome === 'setup_error') return { ...answer, outcome: 'error', version }
  if (answer.outcome !== 'answered') return answer
  const { body } = answer
  const meaning = meaningOf(body)
  return meaning === 'challenge' || meaning === 'nothing'
    ? unreadable('a challenge with an outcome that none has')
    : ended(body, version)
}

function meaningOf(body: Wire): (typeof OUTCOMES)[keyof typeof OUTCOMES] | undefined {
  const outcome = textOf(body, 'outcome') ?? ''
  return Object.hasOwn(OUTCOMES, outcome) ? OUTCOMES[outcome as keyof typeof OUTCOMES] : undefined
}

function ended(
  body: Wire,
  asked: string | null,
): Authenticated | AuthenticationRefused | AuthenticationError | Unknown {
  const said = isRecord(body['authentication']) ? body['authentication'] : {}
  const version = versionIn(said) ?? asked
  switch (meaningOf(body)) {
    case 'proof':
      return proofIn(body, said, version)
    case 'nothing':
      return version === null
        ? unreadable('no version')
        : { ...doneIn(said, version), transactionStatus: 'U', cavv: null }
    case 'refused':
      return { outcome: 'refused', transactionStatus: textOf(body, 'status') === 'R' ? 'R' : 'N', version }
    case 'not_enrolled':
      return error(version, '305', 'The card does not take part')
    case 'no_answer':
      return error(version, '402', 'The issuer or the directory of the scheme did not answer in time')
    case 'outage':
      return error(version, '403', 'A system of 3-D Secure is out of order')
    default:
      return unreadable('an outcome that is not known')
  }
}

/** Without its value it is no proof. */
function proofIn(body: Wire, said: Wire, version: string | null): Authenticated | Unknown {
  const status = textOf(body, 'status') ?? 'Y'
  const done = version === null ? null : doneIn(said, version)
  if (done === null) return unreadable('no version')
  if (status === 'Y' || status === 'A')
    return done.cavv === null ? unreadable('no proof') : { ...done, transactionStatus: status }
  return status === 'U' || status === 'I'
    ? { ...done, transactionStatus: 'U' }
    : unreadable('a status that is not known')
}

function doneIn(said: Wire, version: string) {
  const eci = textOf(said, 'eci')
  return {
    outcome: 'done',
    version,
    eci: eci !== null && /^\d{1,2}$/.test(eci) ? eci : null,
    cavv: textOf(said, 'authenticationValue'),
    directoryTransactionId: textOf(said, 'transactionId'),
  } as const
}

function challengeIn(body: Wire): AuthenticateAnswer {
  const said = isRecord(body['authentication']) ? body['authentication'] : {}
  const challenge = isRecord(body['challenge']) ? body['challenge'] : {}
  const [reference, url, jwt] = ['reference', 'url', 'jwt'].map((name) => textOf(challenge, name))
  const version = versionIn(said)
  if (!reference || !url || !URL.canParse(url) || !jwt || version === null)
    return unreadable('half a challenge')
  const directoryTransactionId = textOf(said, 'transactionId')
  return {
    outcome: 'challenge',
    version,
    directoryTransactionId,
    form: { url, fields: { JWT: jwt } },
    state: reference,
  }
}

function versionIn(said: Wire): string | null {
  const version = textOf(said, 'version')
  return version !== null && /^\d+([.]\d+){1,2}$/.test(version) ? version : null
}

function error(version: string | null, code: string, description: string): AuthenticationError {
  return { outcome: 'error', version, code, description, component: 'D' }
}

function unreadable(what: string): Unknown {
  return { outcome: 'unknown', reason: `Worldpay answered ${what}` }
}
