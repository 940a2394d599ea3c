import type { Secrets } from '#platform/access/secrets.ts'
import type { Context } from '#platform/database/db.ts'
import { type ApiError, errors, inBody } from '#platform/http/errors.ts'
import { realTime } from '#platform/process/clock.ts'
import * as challenges from '../challenges/store.ts'
import type { AuthNeeds } from '../needs.ts'
import type { Claims } from './claims.ts'
import type { IdentityProvider, ProviderAnswer, Question, VerifiedIdentity } from './provider.ts'

/** Clocks of providers differ from ours. */
const TOLERANCE_MS = 30_000

type Asked = { readonly authorizationUrl: string; readonly state: string; readonly browserKey: string }

/** Sends a person to the provider. With a user, they have to prove again that they are this user. */
export async function askAtProvider(
  context: Context,
  needs: Pick<AuthNeeds, 'secrets' | 'oidc'>,
  userId?: string,
): Promise<Asked> {
  const provider = providerOf(needs)
  const state = challenges.newChallengeId(context)
  const question = questionOf(needs.secrets, state, userId !== undefined)
  const authorizationUrl = await provider.addressFor(question)
  const challenge = { id: state, purpose: 'oidc', challenge: '' } as const
  await challenges.insert(context, { ...challenge, ...(userId !== undefined && { userId }) })
  return { authorizationUrl, state, browserKey: browserKeyOf(needs.secrets, state) }
}

type Expected = {
  /** For a sign-in: what the browser kept that began it. A page elsewhere cannot finish its own sign-in in another browser. */
  readonly browserKey?: string
  /** For a proof: the user who has to give it. */
  readonly userId?: string
}

/** What the provider says about the person. Each question is answered once. */
export async function readFromProvider(
  context: Context,
  needs: Pick<AuthNeeds, 'secrets' | 'oidc'>,
  answer: ProviderAnswer,
  expected: Expected,
): Promise<VerifiedIdentity | undefined> {
  const provider = providerOf(needs)
  const { state } = answer
  const asked = await challenges.take(context, state, 'oidc')
  if (!asked || asked.user_id !== (expected.userId ?? null)) return undefined
  const isAgain = asked.user_id !== null
  if (!isAgain && expected.browserKey !== browserKeyOf(needs.secrets, state)) return undefined
  const told = await provider.read(answer, questionOf(needs.secrets, state, isAgain), realTime(context.clock))
  refuseWeakProof(provider, told.claims)
  if (isAgain) refuseEarlierProof(provider, told.claims, asked.created_at)
  return told
}

/** When the person proved who they are, as far as the provider says. A time to come is none. */
export function proofTime({ clock }: Pick<Context, 'clock'>, { provedAt }: Claims): Date {
  const now = realTime(clock)
  if (!provedAt) return new Date(0)
  return provedAt > now ? now : provedAt
}

export function providerOf({ oidc }: Pick<AuthNeeds, 'oidc'>): IdentityProvider {
  if (!oidc)
    throw errors.noSuchPath('no identity provider is set up: set OIDC_ISSUER, or sign in another way')
  return oidc
}

/** Some providers can sign people in with less than we want. */
function refuseWeakProof({ settings: { name, acrValues } }: IdentityProvider, { acr }: Claims): void {
  if (acrValues.length === 0 || (acr !== null && acrValues.includes(acr))) return
  throw notEnough(`use a second factor at ${name}: it did not check you as this installation wants`)
}

/** A provider that ignores our wish names a time before it. */
function refuseEarlierProof(
  { settings: { name } }: IdentityProvider,
  { provedAt }: Claims,
  since: Date,
): void {
  if (provedAt && provedAt.getTime() >= since.getTime() - TOLERANCE_MS) return
  throw notEnough(`sign in again at ${name}: it did not ask you for a new proof, or did not say when it did`)
}

function notEnough(message: string): ApiError {
  return errors.forbidden(inBody('/code', 'value_error.conflict', message))
}

/** Made from the state and our secret, so that nothing of it is kept. */
function questionOf(secrets: Secrets, state: string, isAgain: boolean): Question {
  const derive = (what: string) => secrets.mac(what, state).toString('base64url')
  return { state, nonce: derive('oidc-nonce'), verifier: derive('oidc-verifier'), isAgain }
}

function browserKeyOf(secrets: Secrets, state: string): string {
  return secrets.mac('oidc-browser', state).toString('base64url')
}
