import { randomBytes } from 'node:crypto'
import { dashboardUrlOf } from '#platform/access/identify.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import type { Context, Tx } from '#platform/database/db.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import * as links from './store.ts'

const LASTS_MS: Readonly<Record<links.Purpose, number>> = {
  setup: 30 * 60_000,
  invitation: 72 * 3_600_000,
  reset: 24 * 3_600_000,
}

export type Installation = {
  readonly secrets: Secrets
  readonly publicUrl: string
  /** Null: the caller passes links on. */
  readonly mailer?: Mailer | null
}
export type Link = { readonly url: string; readonly expiresAt: Date }

/**
 * The token is in the fragment, which browsers send to no server: it is in no log. We keep a keyed hash of it.
 */
export async function makeLink(
  tx: Context<Tx>,
  { secrets, publicUrl }: Installation,
  link: { readonly purpose: links.Purpose; readonly userId: string | null },
): Promise<Link> {
  const token = randomBytes(32).toString('base64url')
  const lastsMs = LASTS_MS[link.purpose]
  const expiresAt = await links.replace(tx, { ...link, lastsMs, tokenMac: macOfLink(secrets, token) })
  const page = link.purpose === 'setup' ? 'setup' : 'invitation'
  return { url: `${dashboardUrlOf(publicUrl)}/dashboard/${page}#${token}`, expiresAt }
}

export function macOfLink(secrets: Secrets, token: string): Buffer {
  return secrets.mac('user-link', token)
}
