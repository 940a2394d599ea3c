import { statSync } from 'node:fs'
import type { Terminal } from './terminal.ts'

const PROGRESS_EVERY_MS = 200

export function sizeOf(file: string): number {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) throw new Error(`There is no file ${file}.`)
  if (found.isDirectory()) throw new Error(`${file} is a folder. Name a file.`)
  return found.size
}

/** One line that is overwritten again and again, only on a terminal. */
export function progressLine({ draw }: Terminal) {
  let shownAt = 0
  return {
    /** `share` is how much of all is done. Null: nobody knows. */
    show: (lines: number, share: number | null): void => {
      if (performance.now() - shownAt < PROGRESS_EVERY_MS) return
      shownAt = performance.now()
      draw(`\r${share === null ? '' : `${Math.min(100, Math.floor(share * 100))} %  `}${lines} lines`)
    },
    clear: (): void => {
      if (shownAt > 0) draw('\r\x1b[K')
      shownAt = 0
    },
  }
}

export function stopOnSignals(): { readonly signal: AbortSignal; readonly forget: () => void } {
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  return {
    signal: stopping.signal,
    forget: () => {
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
    },
  }
}
