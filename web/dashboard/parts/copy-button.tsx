import { Button } from './button.tsx'
import { useCopy } from './use-copy.ts'

/** Copies a text that is shown beside it. */
export function CopyButton({
  text,
  label = 'Copy',
  tone = 'quiet',
}: {
  readonly text: string
  readonly label?: string
  readonly tone?: 'main' | 'plain' | 'quiet'
}) {
  const { isCopied, copy } = useCopy(text)
  return (
    <>
      <Button tone={tone} icon={isCopied ? 'check' : 'copy'} onClick={copy}>
        {isCopied ? 'Copied' : label}
      </Button>
      <span className="visually-hidden" role="status">
        {isCopied ? 'Copied' : ''}
      </span>
    </>
  )
}
