import { Link as RouterLink } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { kept, type Search } from '../address.ts'

type Props = {
  /** A path of the dashboard, such as `/buyers/7b1c…`, without `/dashboard`. */
  readonly to: string
  readonly search?: Search | undefined
  readonly className?: string | undefined
  readonly title?: string | undefined
  /** Beside a page whose text would be lost. */
  readonly target?: '_blank'
  readonly children: ReactNode
  readonly onClick?: () => void
}

/** A link to a page of the dashboard. It keeps the merchant account. */
export function Link({ to, search = {}, ...link }: Props) {
  return <RouterLink {...link} to={to} search={(old: Search) => ({ ...kept(old), ...search }) as never} />
}
