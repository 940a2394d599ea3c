import { FONTS, RADII } from '../../server/src/domain/look.ts'
import type { Look } from '../../server/src/domain/pay-page.ts'

/** Gives the page the merchant's look. Through the style object, because the policy allows no styles in the page. */
export function wear({ accent, accent_dark, on_accent, on_accent_dark, radius, font }: Look): void {
  const { style } = document.documentElement
  // As in tokens.css, older browsers get the light theme.
  const hasBoth = CSS.supports('color', 'light-dark(#fff, #000)')
  const colour = (light: string, dark: string) => (hasBoth ? `light-dark(${light}, ${dark})` : light)
  style.setProperty('--accent', colour(accent, accent_dark))
  style.setProperty('--accent-ink', colour(on_accent, on_accent_dark))
  style.setProperty('--focus', colour(accent, accent_dark))
  style.setProperty('--radius', RADII[radius])
  if (font !== 'geist') style.setProperty('--font', FONTS[font])
}
