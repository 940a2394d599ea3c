import { useId, useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../parts/controls.tsx'

export type NewLogo = Schemas['NewThemeLogo']

const TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp']
const MOST_BYTES = 102_400

type Props = {
  readonly url: string | null
  /** Undefined: it stays as it is. Null: it goes. */
  readonly chosen: NewLogo | null | undefined
  readonly onChoose: (logo: NewLogo | null | undefined) => void
}

export function Logo({ url, chosen, onChoose }: Props) {
  const id = useId()
  const [fault, setFault] = useState<string>()
  const read = async (file: File | undefined) => {
    setFault(undefined)
    if (!file) return
    if (!TYPES.includes(file.type) || file.size > MOST_BYTES) {
      setFault('PNG, JPEG or WebP, up to 100 kB.')
      return
    }
    const data = encoded(new Uint8Array(await file.arrayBuffer()))
    onChoose({ media_type: file.type as NewLogo['media_type'], data })
  }
  return (
    <div className="field">
      <label htmlFor={id}>Logo</label>
      <input
        id={id}
        type="file"
        accept={TYPES.join(',')}
        aria-describedby={`${id}-fault`}
        onChange={({ target }) => void read(target.files?.[0])}
      />
      <p className="hint">{stateOf(url, chosen)}</p>
      <p className="fault" id={`${id}-fault`} role="alert">
        {fault}
      </p>
      {url !== null && chosen !== null && (
        <div>
          <Button onClick={() => onChoose(null)}>Remove the logo</Button>
        </div>
      )}
    </div>
  )
}

function stateOf(url: string | null, chosen: Props['chosen']): string {
  if (chosen === null) return 'The logo is removed when you save.'
  if (chosen) return 'The logo is replaced when you save.'
  return url === null ? 'No logo: the account name is shown.' : 'A new logo replaces the current one.'
}

function encoded(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}
