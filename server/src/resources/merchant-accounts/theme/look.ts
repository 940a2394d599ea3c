import { readableOn, readableShade } from '#domain/contrast.ts'
import { opaqueColor } from '#domain/css-color.ts'
import type { Look } from '#domain/pay-page.ts'
import type { StoredTheme } from './store.ts'

/** What lies behind text and buttons, in both colour schemes. */
export const SHEET = { light: '#ffffff', dark: '#121918' } as const

const OWN_ACCENT = { light: '#0a7268', dark: '#3fc7b5' } as const

/**
 * The look of an account's pages. `color` is one that a payment link asks for. It may be any, so it is shifted until it can
 * be read.
 */
export function lookOf(theme: StoredTheme | undefined, color: string | null = null): Look {
  const own = color === null ? undefined : opaqueColor(color)
  const chosen = own ?? theme?.accent_color
  const accent = chosen ? readableShade(chosen, SHEET.light) : OWN_ACCENT.light
  const accentDark = darkOf(own, theme)
  return {
    accent,
    on_accent: readableOn(accent),
    accent_dark: accentDark,
    on_accent_dark: readableOn(accentDark),
    radius: theme?.radius ?? 'medium',
    font: theme?.font ?? 'geist',
  }
}

function darkOf(own: string | undefined, theme: StoredTheme | undefined): string {
  const chosen = own ?? theme?.accent_color_dark ?? theme?.accent_color
  return chosen ? readableShade(chosen, SHEET.dark) : OWN_ACCENT.dark
}
