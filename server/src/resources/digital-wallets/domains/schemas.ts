import { type Static, Type } from 'typebox'
import { Strict } from '#platform/http/schemas.ts'
import { DomainName } from '../schemas.ts'

export const RegisterDomain = Strict(
  { domain_name: DomainName },
  { title: 'RegisterDigitalWalletDomain', examples: [{ domain_name: 'pay.example.com' }] },
)

/** Any text: a name that is no domain is not registered, and needs no complaint. */
export const UnregisterDomain = Strict(
  { domain_name: Type.String({ maxLength: 255 }) },
  { title: 'UnregisterDigitalWalletDomain', examples: [{ domain_name: 'shop.example.com' }] },
)

export const RegisteredDomain = Strict(
  {},
  {
    title: 'RegisteredDigitalWalletDomain',
    description: 'Empty: the wallet lists its domains.',
    examples: [{}],
  },
)
export type RegisteredDomain = Static<typeof RegisteredDomain>
