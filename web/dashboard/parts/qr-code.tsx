import { encode } from 'uqr'
import { Button } from './controls.tsx'
import { download } from './list/table.tsx'

/** Light squares around the code: readers look for them. */
const BORDER = 4

type Props = {
  readonly text: string
  readonly label: string
  /** The name of the file in which the code can be saved. Without it, there is no such button. */
  readonly file?: string
}

/** A QR code. Dark on white in both themes: some readers know it no other way. */
export function QrCode({ text, label, file }: Props) {
  const { data, size } = encode(text, { border: BORDER })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <div className="qr">
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
        <path d={path} />
      </svg>
      {file && (
        <Button tone="quiet" icon="download" onClick={() => save(file, size, path)}>
          Save as SVG
        </Button>
      )}
    </div>
  )
}

function save(file: string, size: number, path: string): void {
  const white = `<path fill="#fff" d="M0 0h${size}v${size}H0z"/>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}">${white}<path d="${path}"/></svg>`
  download(`${file}.svg`, 'image/svg+xml', svg)
}
