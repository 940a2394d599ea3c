import { type Operation, operationsOf } from '#platform/http/operation.ts'
import { unkept } from '#platform/idempotency/once.ts'
import type { AuthNeeds } from '../needs.ts'
import { SignedInSession } from '../schemas.ts'
import { askAtProvider, providerOf } from './ask.ts'
import { signInFromProvider } from './create.ts'
import { CreateOidcSession, OidcOptions, OidcSignOut } from './schemas.ts'
import { signOutEverywhere } from './sign-out.ts'

const operation = operationsOf({ tag: 'Sign-in', concerns: 'instance' })

export function oidcRoutes(needs: AuthNeeds): Operation[] {
  return [
    operation({
      id: 'create_oidc_options',
      route: 'POST /auth/oidc/options',
      summary: 'Begin sign-in at identity provider',
      description:
        'Where a browser goes to sign in with OpenID Connect. Answers 404 if no identity provider is set up, and 502 if it ' +
        'cannot be reached.',
      scope: null,
      isSignIn: true,
      errors: ['not_found', 'bad_gateway'],
      responses: { 201: OidcOptions },
      handler: async ({ context, address }) => {
        await needs.failures.refuseIfReached(address)
        await needs.failures.count(address)
        const { authorizationUrl, state, browserKey } = await askAtProvider(context, needs)
        return unkept({
          type: 'oidc-options',
          name: providerOf(needs).settings.name,
          authorization_url: authorizationUrl,
          state,
          browser_key: browserKey,
        } as const)
      },
    }),

    operation({
      id: 'create_oidc_session',
      route: 'POST /auth/oidc',
      summary: 'Sign in with answer of identity provider',
      description:
        'Begins a session, which is in the cookie of the answer. A person who signs in for the first time becomes a user. Name, ' +
        'roles and merchant accounts of the user are those that the provider names now. A user who is disabled here, or whom ' +
        'the provider gives no role, cannot sign in.',
      scope: null,
      isSignIn: true,
      body: CreateOidcSession,
      errors: ['not_found', 'bad_gateway', 'unauthorized'],
      responses: { 201: SignedInSession },
      handler: async (call) => unkept(await signInFromProvider(call.context, needs, call.body, call)),
    }),

    operation({
      id: 'delete_oidc_session',
      route: 'DELETE /auth/oidc',
      summary: 'Sign out here and at identity provider',
      description:
        'Ends the session of this request, and says where the browser goes to end the one at the identity provider. ' +
        '`DELETE /auth/sessions` ends the session of this request alone.',
      scope: 'users.me.write',
      isForUsers: true,
      responses: { 200: OidcSignOut },
      handler: async ({ context, caller, giveSession }) => {
        const url = await signOutEverywhere(context, needs, caller)
        needs.sessions.forget()
        giveSession(null)
        return { type: 'oidc-sign-out', sign_out_url: url } as const
      },
    }),
  ]
}
