import type { Selectable } from 'kysely'
import type { Scope, Tables, Tx } from '#platform/database/db.ts'
import type { LogoType, Theme } from './schemas.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    merchant_account_themes: {
      merchant_account_id: string
      accent_color: string | null
      accent_color_dark: string | null
      radius: Theme['radius']
      font: Theme['font']
      logo: Buffer | null
      logo_media_type: LogoType | null
      logo_digest: string | null
      created_at: Date
      updated_at: Date
    }
  }
}

const COLUMNS = [
  'merchant_account_id',
  'accent_color',
  'accent_color_dark',
  'radius',
  'font',
  'logo_digest',
  'updated_at',
] as const

/** Without the picture, which only its own address needs. */
export type StoredTheme = Pick<Selectable<Tables['merchant_account_themes']>, (typeof COLUMNS)[number]>

export type Logo = { readonly bytes: Buffer; readonly mediaType: LogoType; readonly digest: string }

export type ThemeChange = Partial<
  Pick<StoredTheme, 'accent_color' | 'accent_color_dark' | 'radius' | 'font'>
> & { readonly logo?: Logo | null }

export function find({ db, merchantAccountId }: Scope): Promise<StoredTheme | undefined> {
  return db
    .selectFrom('merchant_account_themes')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
    .executeTakeFirst()
}

export async function findLogo({ db, merchantAccountId }: Scope, digest: string) {
  const row = await db
    .selectFrom('merchant_account_themes')
    .select(['logo', 'logo_media_type'])
    .where('merchant_account_id', '=', merchantAccountId)
    .where('logo_digest', '=', digest)
    .executeTakeFirst()
  return row?.logo && row.logo_media_type ? { bytes: row.logo, mediaType: row.logo_media_type } : undefined
}

/** Absent fields stay, null clears. */
export function save(
  { db, clock, merchantAccountId }: Scope<Tx>,
  { logo, ...given }: ThemeChange,
): Promise<StoredTheme> {
  const now = clock()
  const changes = {
    ...given,
    ...(logo !== undefined && {
      logo: logo?.bytes ?? null,
      logo_media_type: logo?.mediaType ?? null,
      logo_digest: logo?.digest ?? null,
    }),
    updated_at: now,
  }
  return db
    .insertInto('merchant_account_themes')
    .values({ merchant_account_id: merchantAccountId, created_at: now, ...changes })
    .onConflict((conflict) => conflict.column('merchant_account_id').doUpdateSet(changes))
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}
