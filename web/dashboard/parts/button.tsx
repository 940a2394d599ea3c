import type { ComponentProps, ReactNode } from 'react'
import type { Search } from '../address.ts'
import { Icon, type IconName } from './icon.tsx'
import { Link } from './link.tsx'

type Look = {
  /** `main` for what most people come for, one on a page. `danger` for what cannot be undone. */
  readonly tone?: 'main' | 'plain' | 'quiet' | 'danger'
  readonly icon?: IconName
  readonly children?: ReactNode
}

export function Button({
  tone = 'plain',
  icon,
  children,
  ...button
}: Look & Omit<ComponentProps<'button'>, 'className'>) {
  return (
    <button type="button" {...button} className={`button ${tone}`} data-icon-only={children ? undefined : ''}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

type Place = { readonly to: string; readonly search?: Search }

export function LinkButton({ tone = 'plain', icon, children, to, search }: Look & Place) {
  return (
    <Link to={to} search={search} className={`button ${tone}`}>
      {icon && <Icon name={icon} />}
      {children}
    </Link>
  )
}
