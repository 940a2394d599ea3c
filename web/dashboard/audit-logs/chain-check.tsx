import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { send } from '../api/client.ts'
import { Button, Dialog } from '../parts/controls.tsx'
import { Notice, Problem } from '../parts/page.tsx'
import { exactText, Facts, Id } from '../parts/values.tsx'

type Part = Schemas['AuditLogVerification']
type Sum = Pick<Part, 'checked_entries' | 'first_entry_at'>

/** Entries are chained: none can be changed or taken out without a trace. A long chain is checked in parts. */
export function ChainCheck({ onClose }: { readonly onClose: () => void }) {
  const [part, setPart] = useState<Part>()
  const [sum, setSum] = useState<Sum>({ checked_entries: 0, first_entry_at: null })
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const check = async () => {
    setBusy(true)
    setError(undefined)
    let found = part?.status === 'incomplete' ? part : undefined
    let all = found ? sum : { checked_entries: 0, first_entry_at: null }
    do {
      const query = found?.next ? { after: found.next } : {}
      found = await send('GET /audit-logs/verification', { query })
      all = {
        checked_entries: all.checked_entries + found.checked_entries,
        first_entry_at: all.first_entry_at ?? found.first_entry_at,
      }
      setPart(found)
      setSum(all)
    } while (found.status === 'incomplete')
  }
  return (
    <Dialog title="Check the chain" onClose={onClose} isLocked={isBusy}>
      <div className="dialog-body">
        <p className="dialog-text">
          Every entry is sealed together with those before it. The check computes every seal in the database
          again.
        </p>
        {part && <Result part={part} sum={sum} />}
        {error !== undefined && <Problem error={error} />}
        <div className="dialog-actions">
          <Button onClick={onClose} disabled={isBusy}>
            Close
          </Button>
          <Button
            tone="main"
            disabled={isBusy}
            onClick={() =>
              void check()
                .catch((failure: unknown) => {
                  // The next check begins at the beginning: links may have moved to a file meanwhile.
                  setPart(undefined)
                  setError(failure)
                })
                .finally(() => setBusy(false))
            }
          >
            {isBusy ? 'Checking…' : 'Check'}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

function Result({ part, sum }: { readonly part: Part; readonly sum: Sum }) {
  return (
    <>
      {part.status === 'intact' && (
        <Notice tone="good" title="The chain is intact" isNews>
          No entry was changed, put in or taken out.
        </Notice>
      )}
      {part.status === 'incomplete' && (
        <Notice tone="wait" title="What was checked so far is intact" isNews />
      )}
      {part.status === 'broken' && (
        <Notice tone="bad" title="The chain is broken" isNews>
          {part.problem}
        </Notice>
      )}
      {part.stale !== null && (
        <Notice tone="wait" title="Newer entries are not sealed yet">
          {part.stale}
        </Notice>
      )}
      <Facts
        facts={[
          ['Entries', sum.checked_entries.toLocaleString('en')],
          ['From', sum.first_entry_at && exactText(sum.first_entry_at)],
          ['To', part.last_entry_at && exactText(part.last_entry_at)],
          ['Seal of the end', <Id key="head" value={part.head} isShort />],
        ]}
      />
      {part.archived_links > 0 && (
        <p className="hint">
          The oldest {part.archived_links.toLocaleString('en')} seals are in archived files. The operator
          checks them with <code>switchyard verify</code>.
        </p>
      )}
      <p className="hint">
        Note the seal outside this installation: a later check from it also finds a chain that was cut short.
      </p>
    </>
  )
}
