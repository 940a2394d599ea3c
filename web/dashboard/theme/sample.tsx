const RADII: Readonly<Record<string, string>> = { none: '0', small: '4px', medium: '8px', large: '16px' }
const FONTS: Readonly<Record<string, string>> = {
  geist: 'Geist, sans-serif',
  system: 'system-ui, sans-serif',
  humanist: 'Seravek, "Gill Sans Nova", Ubuntu, Calibri, sans-serif',
  rounded: 'ui-rounded, "Hiragino Maru Gothic ProN", Quicksand, Nunito, sans-serif',
  serif: 'ui-serif, Charter, Georgia, serif',
  mono: 'ui-monospace, monospace',
}

/** A sketch of a form for paying, in the look that was typed. What is not a colour changes nothing. */
export function Sample({ look }: { readonly look: Readonly<Record<string, unknown>> }) {
  const accent = textOf(look['accent_color'])
  const dark = textOf(look['accent_color_dark'])
  const shape = {
    fontFamily: FONTS[textOf(look['font'])] ?? FONTS['geist'],
    '--sample-radius': RADII[textOf(look['radius'])] ?? RADII['medium'],
  }
  return (
    <div className="samples" aria-hidden="true">
      {(['light', 'dark'] as const).map((scheme) => (
        <div key={scheme} className={`sample ${scheme}`} style={shape}>
          <span className="sample-label">Card number</span>
          <span className="sample-field">4111 1111 1111 1111</span>
          <span
            className="sample-pay"
            style={{ backgroundColor: scheme === 'dark' ? dark || lighter(accent) : accent }}
          >
            Pay $42.00
          </span>
        </div>
      ))}
    </div>
  )
}

/** About as much lighter as the service makes it. */
function lighter(color: string): string {
  return color && `color-mix(in oklab, ${color} 55%, white)`
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
