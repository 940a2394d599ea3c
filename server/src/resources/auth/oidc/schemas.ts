import { Kind, Nullable, Strict, Uuid } from '#platform/http/schemas.ts'
import { Type } from '#platform/http/type.ts'

const EXAMPLE_STATE = '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0008'
const EXAMPLE_KEY = 'Zm9yIHRoaXMgZXhhbXBsZSBhbG9uZSwgbm90IGEga2V5IQ'
const EXAMPLE_URL = `https://id.example.com/authorize?client_id=switchyard&state=${EXAMPLE_STATE}`

export const AuthorizationUrl = Type.String({
  description: 'Where the browser goes. The provider sends it back to `/dashboard/oidc`, within ten minutes.',
})

export const OidcOptions = Strict(
  {
    type: Kind('oidc-options'),
    name: Type.String({ description: 'Who the identity provider is, for people.' }),
    authorization_url: AuthorizationUrl,
    state: Uuid({ description: 'Names this sign-in. The provider sends it back.' }),
    browser_key: Type.String({
      description:
        'Keep it in the browser until the provider sends it back: only the browser that began a sign-in can finish it.',
    }),
  },
  {
    title: 'OidcOptions',
    examples: [
      {
        type: 'oidc-options',
        name: 'Example Inc.',
        authorization_url: EXAMPLE_URL,
        state: EXAMPLE_STATE,
        browser_key: EXAMPLE_KEY,
      },
    ],
  },
)

const ANSWER = {
  code: Type.String({
    minLength: 1,
    maxLength: 4096,
    description: 'From the address that the provider sent.',
  }),
  state: Uuid({ description: 'From the same address.' }),
  iss: Type.Optional(
    Type.String({ minLength: 1, maxLength: 500, description: 'From the same address, if it is there.' }),
  ),
}
const EXAMPLE_ANSWER = { code: 'SplxlOBeZQQYbYS6WxSbIA', state: EXAMPLE_STATE }

/** What the provider added to the address of our page. */
export const ProviderAnswer = Strict(ANSWER, { title: 'ProviderAnswer', examples: [EXAMPLE_ANSWER] })

export const CreateOidcSession = Strict(
  {
    ...ANSWER,
    browser_key: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'What the browser kept when it began.',
    }),
  },
  { title: 'CreateOidcSession', examples: [{ ...EXAMPLE_ANSWER, browser_key: EXAMPLE_KEY }] },
)

export const OidcSignOut = Strict(
  {
    type: Kind('oidc-sign-out'),
    sign_out_url: Nullable(
      Type.String({
        description:
          'Where the browser goes. The provider sends it back to `/dashboard/sign-in`. Null: the provider has no such ' +
          'address, or did not answer.',
      }),
    ),
  },
  {
    title: 'OidcSignOut',
    examples: [
      { type: 'oidc-sign-out', sign_out_url: 'https://id.example.com/end-session?client_id=switchyard' },
    ],
  },
)
