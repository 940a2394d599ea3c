import { type ReactNode, useEffect } from 'react'
import { Logo } from './logo.tsx'

/** A page without the frame: for people who have not signed in. */
export function Door({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} – Switchyard`
  }, [title])
  return (
    <main className="door">
      <div className="card door-card">
        <Logo />
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  )
}
