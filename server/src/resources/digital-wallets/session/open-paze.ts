import { toHostName } from '#domain/domain-name.ts'
import type { Scope } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { Providers } from '#processing/provider.ts'
import type { StoredWallet } from '../store.ts'
import { askWallet } from './ask-wallet.ts'
import { displayNameOf, findWallet, settingOf } from './find-wallet.ts'
import { PazeAccess, PazeClient, type PazeSession, type PazeSessionRequest } from './paze-schemas.ts'

/** By what Paze knows the merchant; for an app also what it needs to ask Paze. */
export async function openPazeSession(
  scope: Scope,
  once: Once,
  providers: Providers,
  { source, domain_name: domain }: PazeSessionRequest,
): Promise<Finished<PazeSession>> {
  const wallet = await findWallet(scope, 'paze')
  refuseUnregistered(wallet, domain ?? undefined)
  const client = await clientOf(providers, wallet)
  const session = source === 'mobile' ? { ...client, ...(await accessFor(providers, client.id)) } : client
  return inFinalTransaction(scope, once, async () => session)
}

function refuseUnregistered({ domain_names }: StoredWallet, domain: string | undefined): void {
  if (domain === undefined || domain_names.length === 0) return
  if (domain_names.includes(toHostName(domain) ?? domain)) return
  const message = 'is not among the domains of the wallet: PUT /digital-wallets/{id} with its domain_names'
  throw errors.invalid(inBody('/domain_name', 'value_error.not_found', message))
}

/** Paze gives a merchant its ids when it enrols. In a sandbox, the simulator does. */
async function clientOf(providers: Providers, wallet: StoredWallet) {
  const name = displayNameOf(wallet)
  const id = settingOf(wallet, 'client_id')
  const profileId = settingOf(wallet, 'profile_id')
  if (id !== undefined && profileId !== undefined) return { id, name, profileId }
  const { pazeUrl } = providers.wallets
  if (pazeUrl === null) throw errors.refused(NO_IDS)
  const body = { reference: wallet.id, name }
  return askWallet(providers, { url: `${pazeUrl}/clients`, body, answer: PazeClient })
}

const NO_IDS =
  'The wallet does not say by what Paze knows this merchant. Set client_id and profile_id of extra_configuration.'

function accessFor(providers: Providers, clientId: string) {
  const url = `${pazeUrlOf(providers)}/access-tokens`
  return askWallet(providers, { url, body: { clientId }, answer: PazeAccess })
}

export function pazeUrlOf({ wallets }: Providers): string {
  if (wallets.pazeUrl !== null) return wallets.pazeUrl
  throw errors.refused(
    'There is no connection to Paze for apps in production yet. Use the session of a page.',
  )
}
