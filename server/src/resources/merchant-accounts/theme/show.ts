import type { Theme } from './schemas.ts'
import type { StoredTheme } from './store.ts'

type Shown = { readonly publicUrl: string; readonly merchantAccountId: string }

export function showTheme(theme: StoredTheme | undefined, { publicUrl, merchantAccountId }: Shown): Theme {
  return {
    type: 'merchant-account.theme',
    merchant_account_id: merchantAccountId,
    accent_color: theme?.accent_color ?? null,
    accent_color_dark: theme?.accent_color_dark ?? null,
    radius: theme?.radius ?? null,
    font: theme?.font ?? null,
    logo_url: logoUrl(theme, publicUrl),
    updated_at: theme?.updated_at.toISOString() ?? null,
  }
}

export function logoUrl(theme: StoredTheme | undefined, publicUrl: string): string | null {
  if (!theme?.logo_digest) return null
  return `${publicUrl}/assets/logos/${theme.merchant_account_id}/${theme.logo_digest}`
}
