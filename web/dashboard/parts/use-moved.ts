import { useEffect, useRef, useState } from 'react'

type Step = 1 | -1

/**
 * A row that moves takes the focus along: the buttons `up-ID` and `down-ID` go to another place in the page, and lose it on the
 * way. Tell it before the row moves. `placeOf` is where a row is at present.
 */
export function useMoved(placeOf: (id: string) => number | undefined): (id: string, step: Step) => void {
  const [moved, setMoved] = useState<{ readonly id: string; readonly step: Step }>()
  const place = moved && placeOf(moved.id)
  const seen = useRef(place)
  useEffect(() => {
    if (moved && place !== seen.current) focusAgain(moved.id, moved.step)
    seen.current = place
  }, [moved, place])
  return (id, step) => {
    seen.current = placeOf(id)
    setMoved({ id, step })
  }
}

function focusAgain(id: string, step: Step): void {
  const find = (name: string) => document.getElementById(`${name}-${id}`) as HTMLButtonElement | null
  const [up, down] = [find('up'), find('down')]
  const { activeElement, body } = document
  // A person who has gone on to something else stays there.
  if (activeElement && ![body, up, down].includes(activeElement as HTMLElement)) return
  const [wanted, other] = step < 0 ? [up, down] : [down, up]
  if (wanted?.disabled) other?.focus()
  else wanted?.focus()
}
