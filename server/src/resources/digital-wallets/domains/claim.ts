import type { Scope, Tx } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import type { StoredWallet } from '../store.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    digital_wallet_domains: {
      domain: string
      merchant_account_id: string
      digital_wallet_id: string
    }
  }
}

/**
 * Claims the domains for which a wallet has Apple's file, and gives up the others. The first claim counts: a wallet that is
 * older cannot take over a domain that another one has.
 */
export async function claimDomains(tx: Scope<Tx>, wallet: StoredWallet, pointer: string): Promise<void> {
  await giveUpDomains(tx, wallet)
  // In one order, so that two wallets with the same domains do not wait for each other.
  for (const domain of domainsWithFile(wallet).toSorted((a, b) => (a < b ? -1 : 1))) {
    const claim = {
      domain,
      merchant_account_id: wallet.merchant_account_id,
      digital_wallet_id: wallet.id,
    }
    const claimed = await tx.db
      .insertInto('digital_wallet_domains')
      .values(claim)
      .onConflict((conflict) =>
        conflict
          .column('domain')
          .doUpdateSet({ domain })
          .where('digital_wallet_domains.digital_wallet_id', '=', wallet.id),
      )
      .returning('domain')
      .executeTakeFirst()
    if (!claimed) throw taken(domain, pointer)
  }
}

/** Gives up the domains that a wallet has claimed, and for which it has no file any more. */
export async function giveUpDomains({ db }: Scope<Tx>, wallet: StoredWallet): Promise<void> {
  const domains = domainsWithFile(wallet)
  await db
    .deleteFrom('digital_wallet_domains')
    .where('digital_wallet_id', '=', wallet.id)
    .$if(domains.length > 0, (query) => query.where('domain', 'not in', domains))
    .execute()
}

function domainsWithFile({ provider, domain_names, extra_configuration }: StoredWallet): string[] {
  if (provider !== 'apple') return []
  const files = (extra_configuration?.['domain_associations'] ?? {}) as Readonly<Record<string, unknown>>
  return domain_names.filter((domain) => Object.hasOwn(files, domain))
}

function taken(domain: string, pointer: string): Error {
  const message = `another wallet answers for ${domain} with its file: remove the domain or the file there first`
  return errors.duplicate(undefined, inBody(pointer, 'value_error.duplicate', message))
}
