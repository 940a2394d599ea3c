import { useRouterState } from '@tanstack/react-router'
import { Link } from '../parts/controls.tsx'
import { BACK_TESTS, HEALTH, HISTORY, RULES, TRY } from './words.ts'

/** The pages of the area. */
export function Ways() {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return (
    <nav className="views" aria-label="Routing">
      {[RULES, TRY, BACK_TESTS, HEALTH, HISTORY].map(({ to, label }) => (
        <Link key={to} to={to} className={path === to ? 'view shown' : 'view'}>
          {label}
        </Link>
      ))}
    </nav>
  )
}
