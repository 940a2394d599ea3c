import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'
import type { Tone } from './status.tsx'

const ICONS: Readonly<Record<Tone, IconName>> = {
  good: 'check',
  info: 'info',
  wait: 'clock',
  bad: 'alert',
  mute: 'info',
}

type Props = {
  readonly tone: Tone
  readonly title: string
  readonly children?: ReactNode
  /** Read out at once, because it appeared after something the person did. */
  readonly isNews?: boolean
}

export function Notice({ tone, title, children, isNews }: Props) {
  return (
    <div className={`notice ${tone}`} role={isNews ? (tone === 'bad' ? 'alert' : 'status') : undefined}>
      <Icon name={ICONS[tone]} />
      <div>
        <strong>{title}</strong>
        {children && <div>{children}</div>}
      </div>
    </div>
  )
}
