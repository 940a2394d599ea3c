import { Button, CopyButton } from '../parts/controls.tsx'
import { Door } from '../shell/door.tsx'
import { words } from './words.ts'

/** Shown once, after choosing a password. */
export function RecoveryCodes({
  codes,
  onDone,
}: {
  readonly codes: readonly string[]
  readonly onDone: () => void
}) {
  const text = words.recovery
  return (
    <Door title={text.title}>
      <p className="door-text">{text.text}</p>
      <CodeList codes={codes} />
      <Button tone="main" onClick={onDone}>
        {text.verb}
      </Button>
    </Door>
  )
}

export function CodeList({ codes }: { readonly codes: readonly string[] }) {
  return (
    <div className="codes">
      <ul className="mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <CopyButton tone="plain" text={codes.join('\n')} />
    </div>
  )
}
