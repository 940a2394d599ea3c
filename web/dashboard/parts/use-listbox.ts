import { type KeyboardEvent, useEffect, useState } from 'react'

/**
 * A list of what an input finds. The input keeps the focus, and moves the mark in the list with the arrow keys. Enter chooses
 * what is marked.
 */
export function useListbox<Item>(id: string, items: readonly Item[], choose: (item: Item) => void) {
  const [wanted, setMarked] = useState(0)
  const marked = Math.max(0, Math.min(wanted, items.length - 1))
  const current = items[marked]
  return {
    input: {
      role: 'combobox',
      'aria-expanded': items.length > 0,
      'aria-controls': id,
      'aria-activedescendant': current && `${id}-${marked}`,
      autoComplete: 'off',
      onKeyDown: (event: KeyboardEvent) => {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
        if (step || event.key === 'Enter') event.preventDefault()
        if (step) setMarked(marked + step)
        if (event.key === 'Enter' && current !== undefined) choose(current)
      },
    },
    listId: id,
    option: (index: number, item: Item) => ({
      id: `${id}-${index}`,
      role: 'option',
      tabIndex: -1,
      'aria-selected': index === marked,
      onClick: () => choose(item),
    }),
    /** For another text: the first is marked again. */
    restart: () => setMarked(0),
  }
}

/** The text once it has not changed for a moment: a server is not asked about every letter. */
export function useSettled(text: string, afterMs = 200): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), afterMs)
    return () => clearTimeout(timer)
  }, [text, afterMs])
  return settled
}
