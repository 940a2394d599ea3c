/** The least contrast of text with what is behind it: WCAG 2.2, level AA. */
export const TEXT_CONTRAST = 4.5

/** How strongly two colours of the form `#rrggbb` differ, from 1 to 21: the contrast ratio of WCAG 2. */
export function contrastOf(a: string, b: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(a), luminanceOf(b)].sort((one, other) => one - other)
  return (lighter + 0.05) / (darker + 0.05)
}

/** Black or white, whichever can be read better on a colour. One of them always has the contrast of text. */
export function readableOn(color: string): '#000000' | '#ffffff' {
  return contrastOf(color, '#000000') >= contrastOf(color, '#ffffff') ? '#000000' : '#ffffff'
}

const STEPS = 100

/** The nearest shade of a colour that can be read on a background: itself, or mixed with black or white. */
export function readableShade(color: string, background: string): string {
  const target = readableOn(background)
  for (let step = 0; step <= STEPS; step += 1) {
    const shade = mix(color, target, step / STEPS)
    if (contrastOf(shade, background) >= TEXT_CONTRAST) return shade
  }
  return target
}

function mix(color: string, other: string, share: number): string {
  const parts = partsOf(color).map((part, index) => part + ((partsOf(other)[index] ?? 0) - part) * share)
  return `#${parts.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = partsOf(color).map((byte) => {
    const part = byte / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function partsOf(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
}
