import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { type Context, inTransaction, type Tx } from '#platform/database/db.ts'
import { realTime } from '#platform/process/clock.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as users from '#resources/users/store.ts'
import * as challenges from './challenges/store.ts'
import { macOfLink } from './links/make.ts'
import * as links from './links/store.ts'
import * as lockOuts from './lock-outs/store.ts'
import type { AuthNeeds } from './needs.ts'
import * as identities from './oidc/store.ts'
import { askToRegister, readRegistration } from './passkeys/ceremony.ts'
import { explainTwin } from './passkeys/create.ts'
import * as passkeys from './passkeys/store.ts'
import {
  appAddress,
  base32,
  macOfRecoveryCode,
  matchingStep,
  newRecoveryCodes,
  newSecret,
  openSecret,
  sealSecret,
} from './password/authenticator.ts'
import { macOfEmail } from './password/check.ts'
import { hashPassword, refuseWeakPassword } from './password/hash.ts'
import * as passwords from './password/store.ts'
import { noSuchLink, recordFailure, unproved } from './proof.ts'
import type { Enrolment, SignedInSession } from './schemas.ts'
import { type Browser, openSession } from './sessions/begin.ts'
import * as userSessions from './sessions/store.ts'

type Person = { readonly emailAddress: string; readonly name: string }
/** `person` is given for the first user. Others were named when they were invited. */
type Asked = { readonly token: string; readonly person?: Person; readonly address: string }

/** What a page needs to let a person with a link choose a passkey, or a password with an authenticator app. */
export async function askToEnrol(context: Context, needs: AuthNeeds, asked: Asked): Promise<Enrolment> {
  const { link, person } = await findLink(context, needs, asked)
  const id = challenges.newChallengeId(context)
  const secret = newSecret()
  const { party, secrets, publicUrl } = needs
  const owner = { id: link.user_id ?? id, ...person }
  const passkey = party && (await askToRegister(party, owner, []))
  await challenges.insert(context, {
    id,
    purpose: 'enrol',
    linkId: link.id,
    challenge: passkey?.challenge ?? '',
    sealedAuthenticator: sealSecret(secrets, id, secret),
  })
  const { host } = new URL(publicUrl)
  return {
    type: 'enrolment',
    purpose: link.purpose,
    challenge_id: id,
    email_address: person.emailAddress,
    name: person.name,
    passkey,
    authenticator: { secret: base32(secret), url: appAddress(secret, person.emailAddress, host) },
  }
}

type Accepted = Asked & {
  readonly challengeId: string
  readonly newName?: string | undefined
  readonly passkey?: RegistrationResponseJSON | undefined
  readonly passkeyName?: string | undefined
  readonly password?: string | undefined
  readonly code?: string | undefined
  readonly browser: Browser
}

/** Uses a link up: its user gets the chosen passkey or password in place of all others, and a session. */
export async function enrol(
  context: Context,
  needs: AuthNeeds,
  accepted: Accepted,
): Promise<SignedInSession> {
  const { link, person } = await findLink(context, needs, accepted)
  const read = accepted.passkey ? challenges.take : challenges.find
  const asked = await read(context, accepted.challengeId, 'enrol')
  if (!asked || asked.link_id !== link.id) throw unproved()
  if (accepted.password !== undefined) {
    const { emailAddress } = person
    await refuseWeakPassword(context, { password: accepted.password, userId: link.user_id, emailAddress })
  }
  const chosen = await readChosen(context, needs, accepted, asked)
  const name = accepted.newName ?? person.name
  const opened = await inTransaction(context, async (tx) => {
    // In turn with a first sign-in at the identity provider, which takes the link away.
    if (link.user_id !== null) await users.lock(tx, link.user_id)
    if (!(await links.use(tx, link.id))) throw noSuchLink()
    const userId = await activate(tx, link, { ...person, name, id: accepted.challengeId })
    const actor = { kind: 'user', id: userId, name, thumbprint: null } as const
    await replaceProofs({ ...tx, actor }, needs, userId, chosen)
    await lockOuts.clear(tx, macOfEmail(needs.secrets, person.emailAddress))
    const user = { id: userId, name, email_address: person.emailAddress }
    return openSession({ ...tx, actor }, needs, { user, method: 'setup', browser: accepted.browser })
  }).catch((error) => {
    throw explainTwin(error)
  })
  needs.sessions.forget()
  accepted.browser.giveSession(opened.token)
  return { ...opened.session, ...(chosen.kind === 'password' && { recovery_codes: chosen.recoveryCodes }) }
}

async function findLink(
  context: Context,
  { secrets, failures }: AuthNeeds,
  { token, person, address }: Asked,
) {
  await failures.refuseIfReached(address)
  const link = await links.find(context, macOfLink(secrets, token))
  const isSetup = person !== undefined
  const known = link?.user_id ? await users.find(context, link.user_id) : undefined
  const isUsable = isSetup ? link?.purpose === 'setup' : known !== undefined && known.status !== 'disabled'
  if (!link || !isUsable) {
    await failures.count(address)
    await recordFailure(context, known)
    throw noSuchLink()
  }
  return { link, person: person ?? { emailAddress: known?.email_address ?? '', name: known?.name ?? '' } }
}

type Chosen =
  | { readonly kind: 'passkey'; readonly passkey: passkeys.NewPasskey }
  | {
      readonly kind: 'password'
      readonly hash: string
      readonly secret: Buffer
      readonly step: number
      readonly recoveryCodes: string[]
    }

async function readChosen(
  context: Context,
  { party, secrets }: AuthNeeds,
  accepted: Accepted,
  asked: challenges.Challenge,
): Promise<Chosen> {
  if (accepted.passkey) {
    const passkey = party && (await readRegistration(party, asked.challenge, accepted.passkey))
    if (!passkey) throw unproved()
    return { kind: 'passkey', passkey: { ...passkey, name: accepted.passkeyName ?? 'Passkey' } }
  }
  const { password = '', code = '', challengeId } = accepted
  if (!asked.sealed_authenticator) throw unproved()
  const secret = openSecret(secrets, challengeId, asked.sealed_authenticator)
  const step = matchingStep(secret, code.replaceAll(/\s/g, ''), realTime(context.clock))
  if (step === undefined) throw unproved()
  return {
    kind: 'password',
    hash: await hashPassword(password),
    secret,
    step,
    recoveryCodes: newRecoveryCodes(),
  }
}

/** The first user gets the id that their passkey knows. */
type NewPerson = Person & { readonly id: string }

async function activate(tx: Context<Tx>, link: links.StoredLink, person: NewPerson): Promise<string> {
  if (link.user_id !== null) {
    await users.update(tx, link.user_id, { name: person.name, status: 'active' })
    await record(
      { ...tx, actor: { kind: 'user', id: link.user_id, name: person.name, thumbprint: null } },
      'updated',
      link.user_id,
      person.name,
    )
    return link.user_id
  }
  if (!(await users.isEmpty(tx))) throw noSuchLink()
  const setup = { ...tx, actor: { id: null, name: 'Setup link' } }
  const id = await users.insertAdministrator(setup, person)
  await record(setup, 'created', id, person.name)
  return id
}

function record(tx: Context<Tx>, action: 'created' | 'updated', id: string, name: string): Promise<void> {
  return auditLogs.record({ ...tx, merchantAccountId: null }, action, { type: 'user', id, name })
}

/** A link is for people who have nothing, or have lost it: whatever they had before counts no more. */
async function replaceProofs(
  tx: Context<Tx>,
  { secrets }: AuthNeeds,
  userId: string,
  chosen: Chosen,
): Promise<void> {
  await userSessions.removeOf(tx, userId)
  await passkeys.removeOf(tx, userId)
  await passwords.removeOf(tx, userId)
  await identities.removeOf(tx, userId)
  if (chosen.kind === 'passkey') {
    await passkeys.insert(tx, userId, chosen.passkey)
    return
  }
  await passwords.insert(tx, userId, {
    hash: chosen.hash,
    sealedAuthenticator: sealSecret(secrets, userId, chosen.secret),
    lastStep: chosen.step,
    recoveryMacs: chosen.recoveryCodes.map((code) => macOfRecoveryCode(secrets, userId, code)),
  })
}
