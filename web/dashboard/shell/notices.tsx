import { useSyncExternalStore } from 'react'
import { Icon } from '../parts/controls.tsx'

/** What was done a moment ago. It goes by itself, so it never says anything that must be read. */
type News = { readonly id: number; readonly title: string; readonly text?: string | undefined }

const STAYS_MS = 6_000

let news: readonly News[] = []
let count = 0
const listeners = new Set<() => void>()

export function notify({ title, text }: { readonly title: string; readonly text?: string }): void {
  count += 1
  const one = { id: count, title, text }
  set([...news, one].slice(-3))
  setTimeout(() => set(news.filter(({ id }) => id !== one.id)), STAYS_MS)
}

/** The corner in which news appear. */
export function Notices() {
  const shown = useSyncExternalStore(listen, () => news)
  return (
    <div className="news" role="status">
      {shown.map(({ id, title, text }) => (
        <div key={id}>
          <Icon name="check" />
          <div>
            <strong>{title}</strong>
            {text && <p>{text}</p>}
          </div>
          <button
            type="button"
            className="button quiet"
            data-icon-only=""
            aria-label="Dismiss"
            onClick={() => set(news.filter((other) => other.id !== id))}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  )
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function set(next: readonly News[]): void {
  news = next
  for (const listener of listeners) listener()
}
