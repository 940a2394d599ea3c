import { FONTS, RADII } from '../../server/src/domain/look.ts'
import type { Look } from '../../server/src/domain/pay-page.ts'

/** Gives the page the merchant's look. Through the style object, because the policy allows no styles in the page. */
export function wear({ accent, accent_dark, on_accent, on_accent_dark, radius, font }: Look): void {
  const { style } = document.documentElement
  style.setProperty('--look', accent)
  style.setProperty('--look-dark', accent_dark)
  style.setProperty('--look-ink', on_accent)
  style.setProperty('--look-ink-dark', on_accent_dark)
  style.setProperty('--radius', RADII[radius])
  if (font !== 'geist') style.setProperty('--font', FONTS[font])
}
