import type { Look } from '../../server/src/domain/pay-page.ts'

const RADII: Readonly<Record<Look['radius'], string>> = {
  none: '0px',
  small: '4px',
  medium: '10px',
  large: '18px',
}

const FONTS: Readonly<Record<Exclude<Look['font'], 'geist'>, string>> = {
  system: 'system-ui, sans-serif',
  humanist: 'Seravek, "Gill Sans Nova", Ubuntu, Calibri, "DejaVu Sans", sans-serif',
  rounded:
    'ui-rounded, "Hiragino Maru Gothic ProN", Quicksand, Comfortaa, Manjari, "Arial Rounded MT Bold", sans-serif',
  serif: '"Iowan Old Style", "Palatino Linotype", Georgia, serif',
  mono: 'ui-monospace, "Cascadia Code", Menlo, Consolas, monospace',
}

/** Gives the page the merchant's look. Through the style object, because the policy allows no styles in the page. */
export function wear({ accent, accent_dark, on_accent, on_accent_dark, radius, font }: Look): void {
  const { style } = document.documentElement
  style.setProperty('--accent', `light-dark(${accent}, ${accent_dark})`)
  style.setProperty('--accent-ink', `light-dark(${on_accent}, ${on_accent_dark})`)
  style.setProperty('--focus', `light-dark(${accent}, ${accent_dark})`)
  style.setProperty('--radius', RADII[radius])
  if (font !== 'geist') style.setProperty('--font', FONTS[font])
}
