import type { Unknown } from '#connectors/contract/connector.ts'
import type {
  ThreeDSecureConnector,
  ThreeDSecureError,
  ThreeDSecureForm,
} from '#connectors/contract/three-d-secure.ts'
import type { Scope } from '#platform/database/db.ts'
import type { Engine } from '#processing/engine.ts'
import { transcriptOf } from '#processing/exchanges/transcribe.ts'
import { askProvider, lineFor } from '#processing/provider.ts'
import { memoryOf, openFields, unlessGone } from '#processing/service-accounts/fields.ts'
import * as threeDSServices from '#resources/three-ds-services/store.ts'
import type { Challenge } from '../document.ts'

/** The 3-D Secure server that is asked about a payment. */
export type Server = {
  /** Null: the simulator, which needs no account. */
  readonly service: threeDSServices.StoredService | null
  /** Undefined: this version of the program does not have it. */
  readonly connector: ThreeDSecureConnector | undefined
}

type Act = 'prepare' | 'authenticate' | 'conclude'
type OrderOf<Name extends Act> = Parameters<NonNullable<ThreeDSecureConnector[Name]>>[0]
type AnswerOf<Name extends Act> = Awaited<ReturnType<NonNullable<ThreeDSecureConnector[Name]>>>

/** Asks once. Without an answer it is an error of the 3-D Secure server, which every act may answer. */
export async function askServer<Name extends Act>(
  scope: Scope,
  { providers, vault, secrets, exchanges }: Engine,
  { service, connector }: Server,
  { act, order }: { readonly act: Name; readonly order: OrderOf<Name> },
): Promise<Exclude<AnswerOf<Name>, Unknown> | Silence> {
  const ask = connector?.[act] as ((...given: unknown[]) => Promise<AnswerOf<Name>>) | undefined
  if (!connector || !ask)
    return silence(`${service?.three_ds_service_definition_id} is not offered any more: connect another one`)
  const fields = service
    ? await openFields(scope, vault, service, threeDSServices.KIND).catch(unlessGone)
    : {}
  if (!fields) return silence('the 3-D Secure service was deleted')
  const line = lineFor(providers, { connector: connector.manifest.id, act })
  const memory = service ? { memory: memoryOf(scope, secrets, service, fields) } : {}
  const { manifest } = connector
  const told = service && {
    transcript: transcriptOf(scope, exchanges, { ...aboutAsking(act, order, service.id), manifest }),
  }
  const answer = await askProvider(line, ask, order, { fields, options: {}, ...memory, ...told })
  return isUnknown(answer) ? silence(answer.reason) : (answer as Exclude<AnswerOf<Name>, Unknown>)
}

/** An authentication is no attempt: it moves nothing. Its exchanges are found by the transaction. */
function aboutAsking(act: Act, { transactionId }: Pick<OrderOf<Act>, 'transactionId'>, service_id: string) {
  return {
    attempt: { id: transactionId, kind: 'authenticate', transaction_id: transactionId, service_id },
    purpose: act === 'conclude' ? 'completion' : 'request',
    serviceType: 'three-ds-service',
  } as const
}

function isUnknown(answer: { readonly outcome: string }): answer is Unknown {
  return answer.outcome === 'unknown'
}

type Silence = { readonly outcome: 'error'; readonly version: null } & ThreeDSecureError

/** By the list of EMV 3-D Secure: the connection to a system has failed. */
function silence(reason: string): Silence {
  const description = `The 3-D Secure server could not be asked: ${reason}`
  return { outcome: 'error', version: null, code: '405', description, component: 'S' }
}

/** What a challenge needs again. */
type State = {
  /** The connector's own. */
  readonly state: string
  /** What the buyer's browser posts. Null: our own page asks in the issuer's place. */
  readonly form: ThreeDSecureForm | null
}

const PURPOSE = 'three-d-secure'

/** Forms lead to pages of the issuer, and hold what is for the buyer's browser alone. */
export function sealState({ secrets }: Pick<Engine, 'secrets'>, transactionId: string, state: State): string {
  return secrets.seal(PURPOSE, transactionId, JSON.stringify(state)).toString('base64')
}

/** Older payments were all begun by the simulator. */
export function openState(
  { secrets }: Pick<Engine, 'secrets'>,
  transactionId: string,
  { sealed, result = 'Y' }: Challenge,
): State {
  if (sealed === undefined) return { state: result, form: null }
  return JSON.parse(secrets.open(PURPOSE, transactionId, Buffer.from(sealed, 'base64')))
}
