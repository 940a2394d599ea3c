import { type Bound, bind } from './bind.ts'
import { connect, type Settings } from './connect.ts'
import * as operations from './generated/operations.ts'
import { type Signing, signTokens } from './sign-token.ts'

/** Every operation, by its path: `client.transactions.refunds.create(id, { amount: 500 })`. */
export type Client = Bound<typeof operations>

export type ClientSettings = Omit<Settings, 'token'> & (Signing | Pick<Settings, 'token'>)

/** A client for a server, with the private key of an API key pair or a token. */
export function createClient(settings: ClientSettings): Client {
  const token = 'privateKey' in settings ? { token: signTokens(settings) } : {}
  return bind(connect({ ...settings, ...token }), operations)
}
