import { toDomainName } from '#domain/domain-name.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import { violatedUnique } from '#platform/database/database-errors.ts'
import type { Scope } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { claimDomains } from './domains/claim.ts'
import { fieldsAtGoogle } from './google-gateway.ts'
import { type CertificateCounts, NO_CERTIFICATES } from './keys/store.ts'
import type { CreateDigitalWallet, DigitalWallet, WalletProvider } from './schemas.ts'
import type { StoredWallet } from './store.ts'
import * as wallets from './store.ts'

export async function createWallet(
  scope: Scope,
  once: Once,
  secrets: Secrets,
  request: CreateDigitalWallet,
): Promise<Finished<DigitalWallet>> {
  const { provider } = request
  try {
    return await inFinalTransaction(scope, once, async (tx) => {
      const wallet = await wallets.insert(tx, { provider, ...settingsOf(request) })
      await claimDomains(tx, wallet, '/domain_names')
      await auditLogs.record(tx, 'created', toAudited(wallet))
      return showWallet(secrets, wallet, NO_CERTIFICATES)
    })
  } catch (error) {
    if (violatedUnique(error) !== 'digital_wallets_one_per_provider') throw error
    throw await duplicate(scope, provider)
  }
}

async function duplicate(scope: Scope, provider: WalletProvider): Promise<Error> {
  const message = 'this merchant account has a wallet of this provider: change it instead'
  const twin = await wallets.find(scope, { provider })
  return errors.duplicate(twin?.id, inBody('/provider', 'value_error.duplicate', message))
}

function settingsOf(request: CreateDigitalWallet): wallets.Settings {
  return {
    merchant_name: request.merchant_name,
    merchant_display_name: request.merchant_display_name ?? null,
    merchant_url: request.merchant_url ?? null,
    merchant_country_code: request.merchant_country_code ?? null,
    merchant_category_code: request.merchant_category_code ?? null,
    address: request.address ?? null,
    extra_configuration: request.extra_configuration ?? null,
    domain_names: inOneSpelling(request.domain_names ?? []),
  }
}

/** Each domain once, however it was spelled. Names that are no domains were refused before. */
export function inOneSpelling(names: readonly string[]): string[] {
  return [...new Set(names.map(toDomainName).filter((name) => name !== undefined))]
}

/** How the audit log names a wallet. */
export function toAudited({ id, merchant_name }: Pick<wallets.StoredWallet, 'id' | 'merchant_name'>) {
  return { type: 'digital-wallet', id, name: merchant_name }
}

export function showWallet(
  secrets: Secrets,
  wallet: StoredWallet,
  certificates: CertificateCounts,
): DigitalWallet {
  const { created_at, updated_at, ...rest } = wallet
  return {
    type: 'digital-wallet',
    ...rest,
    active_certificate_count: certificates.active,
    pending_certificate_count: certificates.pending,
    expired_certificate_count: certificates.expired,
    fields: wallet.provider === 'google' ? fieldsAtGoogle(secrets, wallet.merchant_account_id) : null,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}
