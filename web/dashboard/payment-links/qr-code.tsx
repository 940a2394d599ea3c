import { Button } from '../parts/button.tsx'
import { download } from '../parts/download.ts'
import { qrSquares } from './qr.ts'

/** Light squares around a code, so that readers find it. */
const MARGIN = 4

/** A QR code, dark on light in both themes: not all readers know it the other way round. */
export function QrCode({
  text,
  label,
  file,
}: {
  readonly text: string
  readonly label: string
  readonly file: string
}) {
  const squares = qrSquares(text)
  if (!squares) return <p className="quiet-text">The address is too long for a QR code.</p>
  const side = squares.length + 2 * MARGIN
  const path = squares
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x + MARGIN} ${y + MARGIN}h1v1h-1z` : '')))
    .join('')
  const save = () =>
    download(
      `${file}.svg`,
      'image/svg+xml',
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}"><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${path}"/></svg>`,
    )
  return (
    <div className="qr">
      <svg viewBox={`0 0 ${side} ${side}`} role="img" aria-label={label} shapeRendering="crispEdges">
        <path fill="#fff" d={`M0 0h${side}v${side}H0z`} />
        <path fill="#000" d={path} />
      </svg>
      <Button tone="quiet" icon="download" onClick={save}>
        Save as SVG
      </Button>
    </div>
  )
}
