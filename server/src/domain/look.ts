import type { Look } from './pay-page.ts'

/** How round the corners of buttons and fields are. */
export const RADII: Readonly<Record<Look['radius'], string>> = {
  none: '0px',
  small: '4px',
  medium: '10px',
  large: '18px',
}

/** Fonts of the buyer's device. The remaining one is served, and only the page with the card form loads it. */
export const FONTS: Readonly<Record<Exclude<Look['font'], 'geist'>, string>> = {
  system: 'system-ui, sans-serif',
  humanist: 'Seravek, "Gill Sans Nova", Ubuntu, Calibri, "DejaVu Sans", sans-serif',
  rounded:
    'ui-rounded, "Hiragino Maru Gothic ProN", Quicksand, Comfortaa, Manjari, "Arial Rounded MT Bold", sans-serif',
  serif: '"Iowan Old Style", "Palatino Linotype", Georgia, serif',
  mono: 'ui-monospace, "Cascadia Code", Menlo, Consolas, monospace',
}
