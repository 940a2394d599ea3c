import { useRouterState } from '@tanstack/react-router'
import { Link } from '../parts/controls.tsx'
import { INCIDENTS, MONITORS } from './words.ts'

/** The two lists of the area. */
export function Ways() {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return (
    <nav className="views" aria-label="Monitoring">
      {[MONITORS, INCIDENTS].map(({ to, label }) => (
        <Link key={to} to={to} className={path === to ? 'view shown' : 'view'}>
          {label}
        </Link>
      ))}
    </nav>
  )
}
