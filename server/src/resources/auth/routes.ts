import { FailureLimit } from '#platform/access/failure-limit.ts'
import { dashboardUrlOf } from '#platform/access/identify.ts'
import type { Context } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { type Operation, operationsOf } from '#platform/http/operation.ts'
import { Kind, Nullable, Strict } from '#platform/http/schemas.ts'
import { Type } from '#platform/http/type.ts'
import { inFinalTransaction, unkept } from '#platform/idempotency/once.ts'
import type { Job } from '#platform/process/jobs.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { OperationNeeds, Resource } from '#resources/resource.ts'
import { disableUnused } from '#resources/users/disable-unused.ts'
import * as users from '#resources/users/store.ts'
import * as challenges from './challenges/store.ts'
import { askToEnrol, enrol } from './enrol.ts'
import * as links from './links/store.ts'
import * as lockOuts from './lock-outs/store.ts'
import type { AuthNeeds } from './needs.ts'
import { IdentityProvider } from './oidc/provider.ts'
import { oidcRoutes } from './oidc/routes.ts'
import { relyingPartyOf } from './passkeys/ceremony.ts'
import { passkeyRoutes } from './passkeys/routes.ts'
import { macOfRecoveryCode, newRecoveryCodes } from './password/authenticator.ts'
import { passwordRoutes } from './password/routes.ts'
import * as passwords from './password/store.ts'
import { refuseUnclearProof } from './proof.ts'
import {
  EmailAddress,
  ENROLMENT_PROOF,
  Enrolment,
  EXAMPLE_CHALLENGE_ID,
  EXAMPLE_REGISTRATION,
  EXAMPLE_TOKEN,
  LinkToken,
  SignedInSession,
  UserName,
} from './schemas.ts'
import { sessionRoutes } from './sessions/routes.ts'
import * as sessions from './sessions/store.ts'
import { stepUpRoutes } from './step-up/routes.ts'

const operation = operationsOf({ concerns: 'instance' })

const RecoveryCodes = Strict(
  {
    type: Kind('recovery-codes'),
    recovery_codes: Nullable(
      Type.Array(Type.String(), {
        description: 'Ten codes. A retry with the same idempotency key shows null: ask for new ones then.',
      }),
    ),
  },
  {
    title: 'RecoveryCodes',
    examples: [{ type: 'recovery-codes', recovery_codes: ['k3pq-7xzm-a2rt-5wnb'] }],
  },
)

const InvitationOptions = Strict(
  { token: LinkToken },
  { title: 'InvitationOptions', examples: [{ token: EXAMPLE_TOKEN }] },
)

const AcceptInvitation = Strict(
  { token: LinkToken, name: Type.Optional(UserName), ...ENROLMENT_PROOF },
  {
    title: 'AcceptInvitation',
    description: 'With a `passkey`, or with a `password` and a `code`.',
    examples: [{ token: EXAMPLE_TOKEN, challenge_id: EXAMPLE_CHALLENGE_ID, passkey: EXAMPLE_REGISTRATION }],
  },
)

const PERSON = { token: LinkToken, email_address: EmailAddress, name: UserName }
const EXAMPLE = { token: EXAMPLE_TOKEN, email_address: 'mara@example.com', name: 'Mara Lind' }

const SetupOptions = Strict(PERSON, { title: 'SetupOptions', examples: [EXAMPLE] })

const Setup = Strict(
  { ...PERSON, ...ENROLMENT_PROOF },
  {
    title: 'Setup',
    description: 'With a `passkey`, or with a `password` and a `code`.',
    examples: [{ ...EXAMPLE, challenge_id: EXAMPLE_CHALLENGE_ID, passkey: EXAMPLE_REGISTRATION }],
  },
)

const TAG = 'Sign-in'

const authJobs: readonly Job<Needs>[] = [
  {
    name: 'purge-ended-sessions',
    everyMs: 10 * 60_000,
    run: async ({ context }) => {
      await sessions.purge(context)
      await challenges.purge(context)
      await links.purge(context)
      await lockOuts.purge(context)
    },
  },
  {
    name: 'disable-unused-users',
    everyMs: 3_600_000,
    run: ({ context }) => disableUnused(context),
  },
]

export const authResource: Resource = {
  operations: (given) => {
    const needs = needsOf(given)
    return [
      ...setupRoutes(needs),
      ...invitationRoutes(needs),
      ...sessionRoutes(needs),
      ...oidcRoutes(needs),
      ...stepUpRoutes(needs),
      ...passkeyRoutes(needs),
      ...passwordRoutes(needs),
      ...recoveryCodeRoutes(needs),
    ]
  },
  jobs: authJobs,
}

function needsOf({ secrets, publicUrl, sessions, oidc: settings }: OperationNeeds): AuthNeeds {
  const failures = new FailureLimit('failed sign-ins from this address')
  const oidc = settings ? new IdentityProvider(settings, returnAddress(publicUrl)) : null
  return { secrets, publicUrl, sessions, failures, oidc, party: relyingPartyOf(publicUrl) }
}

/** The page to which an identity provider sends people back. It has to be registered there. */
export function returnAddress(publicUrl: string): string {
  return `${dashboardUrlOf(publicUrl)}/dashboard/oidc`
}

type Needs = { readonly context: Context }

function setupRoutes(needs: AuthNeeds): Operation[] {
  return [
    operation({
      id: 'create_setup_options',
      route: 'POST /auth/setup/options',
      tag: TAG,
      summary: 'Prepare first user',
      description:
        'What a page needs to let the first user choose a passkey or a password. It uses nothing up.',
      scope: null,
      isSignIn: true,
      body: SetupOptions,
      errors: ['not_found'],
      responses: { 201: Enrolment },
      handler: async ({ context, address, body }) => {
        const person = { emailAddress: body.email_address, name: body.name.trim() }
        return unkept(await askToEnrol(context, needs, { token: body.token, person, address }))
      },
    }),

    operation({
      id: 'create_first_user',
      route: 'POST /auth/setup',
      tag: TAG,
      summary: 'Create first user',
      description:
        'Makes the first user, an administrator, and signs them in. The link that the service prints at its start works ' +
        'once, for 30 minutes, and only while there is no user.',
      scope: null,
      isSignIn: true,
      body: Setup,
      errors: ['not_found', 'unauthorized'],
      responses: { 201: SignedInSession },
      handler: async (call) => {
        const { context, address, body } = call
        refuseUnclearProof(body)
        const person = { emailAddress: body.email_address, name: body.name.trim() }
        const { token, challenge_id: challengeId, passkey_name: passkeyName, passkey, password, code } = body
        const proof = { challengeId, passkey, passkeyName, password, code }
        return unkept(await enrol(context, needs, { token, person, address, ...proof, browser: call }))
      },
    }),
  ]
}

function invitationRoutes(needs: AuthNeeds): Operation[] {
  return [
    operation({
      id: 'create_invitation_options',
      route: 'POST /auth/invitations/options',
      tag: TAG,
      summary: 'Open invitation',
      description:
        'Who is invited, and what a page needs to let them choose a passkey or a password. It uses nothing up.',
      scope: null,
      isSignIn: true,
      body: InvitationOptions,
      errors: ['not_found'],
      responses: { 201: Enrolment },
      handler: async ({ context, address, body }) =>
        unkept(await askToEnrol(context, needs, { token: body.token, address })),
    }),

    operation({
      id: 'accept_invitation',
      route: 'POST /auth/invitations/accept',
      tag: TAG,
      summary: 'Accept invitation',
      description:
        'Signs an invited user in for the first time, or one whose administrator has made a link for a new start. What the ' +
        'user had before, such as other passkeys and sessions, no longer works.',
      scope: null,
      isSignIn: true,
      body: AcceptInvitation,
      errors: ['not_found', 'unauthorized', 'duplicate_record'],
      responses: { 201: SignedInSession },
      handler: async (call) => {
        const { context, address, body } = call
        refuseUnclearProof(body)
        const { token, challenge_id: challengeId, passkey_name: passkeyName, passkey, password, code } = body
        const proof = { challengeId, passkey, passkeyName, password, code, newName: body.name?.trim() }
        return unkept(await enrol(context, needs, { token, address, ...proof, browser: call }))
      },
    }),
  ]
}

function recoveryCodeRoutes({ secrets }: AuthNeeds): Operation[] {
  return [
    operation({
      id: 'create_recovery_codes',
      route: 'POST /auth/recovery-codes',
      tag: 'Sign-in',
      summary: 'Make new recovery codes',
      description:
        'Ten codes in place of all that you had. Each counts once, in the place of a code of your app.',
      scope: 'users.me.write',
      isForUsers: true,
      needsFreshProof: true,
      shownOnce: { recovery_codes: null },
      neverStored: true,
      responses: { 201: RecoveryCodes },
      handler: ({ context, caller, once }) => {
        const codes = newRecoveryCodes()
        const macs = codes.map((code) => macOfRecoveryCode(secrets, caller.id, code))
        return inFinalTransaction(context, once, async (tx) => {
          await users.lock(tx, caller.id)
          if (!(await passwords.find(tx, caller.id))) {
            throw errors.refused(
              'set a password first: recovery codes take the place of the code that goes with it',
            )
          }
          await passwords.replaceRecoveryCodes(tx, caller.id, macs)
          const about = { type: 'recovery-codes', id: caller.id, name: caller.name }
          await auditLogs.record({ ...tx, merchantAccountId: null }, 'created', about)
          return { type: 'recovery-codes', recovery_codes: codes } as const
        })
      },
    }),
  ]
}
