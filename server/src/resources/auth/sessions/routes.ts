import { inTransaction } from '#platform/database/db.ts'
import { type Operation, operationsOf } from '#platform/http/operation.ts'
import { Kind, Nullable, Strict } from '#platform/http/schemas.ts'
import { Type } from '#platform/http/type.ts'
import { unkept } from '#platform/idempotency/once.ts'
import * as users from '#resources/users/store.ts'
import * as challenges from '../challenges/store.ts'
import type { AuthNeeds } from '../needs.ts'
import { askToSign } from '../passkeys/ceremony.ts'
import {
  ChallengeId,
  EmailAddress,
  EXAMPLE_CHALLENGE_ID,
  EXAMPLE_REQUEST_OPTIONS,
  PROOF,
  RequestOptions,
  SignedInSession,
  type UserSession,
  UserSessions,
} from '../schemas.ts'
import { createSession } from './create.ts'
import { endOtherSessions, endSession } from './end.ts'
import type { StoredSession } from './store.ts'
import * as sessions from './store.ts'

const SignInOptions = Strict(
  {
    type: Kind('sign-in-options'),
    challenge_id: ChallengeId,
    passkey: RequestOptions,
    is_set_up: Type.Boolean({
      description: 'Whether there is any user yet. If not, the setup link makes the first.',
    }),
    oidc_name: Nullable(
      Type.String({
        description: 'The identity provider with which users can sign in. Null: there is none.',
      }),
    ),
  },
  {
    title: 'SignInOptions',
    examples: [
      {
        type: 'sign-in-options',
        challenge_id: EXAMPLE_CHALLENGE_ID,
        passkey: EXAMPLE_REQUEST_OPTIONS,
        is_set_up: true,
        oidc_name: null,
      },
    ],
  },
)

const CreateSession = Strict(
  { ...PROOF, email_address: Type.Optional(EmailAddress) },
  {
    title: 'CreateSession',
    description: 'A passkey with its `challenge_id`, or an e-mail address with a password and a code.',
    examples: [{ email_address: 'mara@example.com', password: 'correct horse battery', code: '123456' }],
  },
)

const operation = operationsOf({ tag: 'Sign-in', concerns: 'instance', scopes: 'users.me' })

export function sessionRoutes(needs: AuthNeeds): Operation[] {
  return [...signInRoutes(needs), ...ownSessionRoutes(needs)]
}

function signInRoutes(needs: AuthNeeds): Operation[] {
  return [
    operation({
      id: 'create_session_options',
      route: 'POST /auth/sessions/options',
      summary: 'Prepare to sign in',
      description: 'What a page needs to ask for a passkey. The challenge lasts ten minutes.',
      scope: null,
      isSignIn: true,
      responses: { 201: SignInOptions },
      handler: async ({ context, address }) => {
        await needs.failures.refuseIfReached(address)
        await needs.failures.count(address)
        const id = challenges.newChallengeId(context)
        const passkey = needs.party && (await askToSign(needs.party))
        await challenges.insert(context, { id, purpose: 'sign-in', challenge: passkey?.challenge ?? '' })
        const isSetUp = !(await users.isEmpty(context))
        const oidcName = needs.oidc?.settings.name ?? null
        return unkept({
          type: 'sign-in-options',
          challenge_id: id,
          passkey,
          is_set_up: isSetUp,
          oidc_name: oidcName,
        } as const)
      },
    }),

    operation({
      id: 'create_session',
      route: 'POST /auth/sessions',
      summary: 'Sign in',
      description:
        'Begins a session, which is in the cookie of the answer. A password counts only together with a code. After ten ' +
        'failures, an e-mail address is locked for 30 minutes.',
      scope: null,
      isSignIn: true,
      body: CreateSession,
      errors: ['unauthorized'],
      responses: { 201: SignedInSession },
      handler: async (call) => unkept(await createSession(call.context, needs, call.body, call)),
    }),
  ]
}

function ownSessionRoutes(needs: AuthNeeds): Operation[] {
  return [
    operation({
      id: 'delete_current_session',
      route: 'DELETE /auth/sessions',
      summary: 'Sign out',
      description: 'Ends the session of this request.',
      isForUsers: true,
      responses: { 204: null },
      handler: async ({ context, caller, giveSession }) => {
        await endSession(context, caller.id, caller.tokenId)
        needs.sessions.forget()
        giveSession(null)
      },
    }),

    operation({
      id: 'list_sessions',
      route: 'GET /auth/sessions',
      summary: 'List your sessions',
      description: 'Where you are signed in, newest first.',
      isForUsers: true,
      responses: { 200: UserSessions },
      handler: async ({ context, caller }) => {
        const found = await sessions.listLive(context, caller.id, needs.sessions.idleMs)
        return { items: found.map((session) => showSession(session, caller.session?.sessionId)) }
      },
    }),

    operation({
      id: 'delete_other_sessions',
      route: 'DELETE /auth/sessions/others',
      summary: 'End your other sessions',
      description: 'Signs you out everywhere but here, at once.',
      isForUsers: true,
      responses: { 204: null },
      handler: async ({ context, caller }) => {
        await inTransaction(context, (tx) => endOtherSessions(tx, caller))
        needs.sessions.forget()
      },
    }),

    operation({
      id: 'delete_session',
      route: 'DELETE /auth/sessions/:user_session_id',
      summary: 'End one of your sessions',
      description: 'Signs you out in one browser, at once.',
      isForUsers: true,
      responses: { 204: null },
      handler: async ({ context, caller, params }) => {
        await endSession(context, caller.id, params.user_session_id)
        needs.sessions.forget()
      },
    }),
  ]
}

function showSession(session: StoredSession, currentId: string | undefined): UserSession {
  return {
    type: 'user-session',
    id: session.id,
    method: session.method,
    user_agent: session.user_agent,
    address: session.address,
    is_current: session.id === currentId,
    created_at: session.created_at.toISOString(),
    last_used_at: session.last_used_at.toISOString(),
    expires_at: session.expires_at.toISOString(),
  }
}
