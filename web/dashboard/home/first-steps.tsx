import type { Search } from '../address.ts'
import { useMe } from '../api/me.ts'
import { Button, CopyButton, LinkButton } from '../parts/controls.tsx'
import { Section } from '../parts/page.tsx'
import { useReach } from '../parts/reach.ts'

const FILL = 'bin/switchyard sandbox fill --days 30 --payments 500'

type Step = {
  readonly title: string
  readonly text: string
  /** Where it is done. Without such an area, the guide tells how. */
  readonly to: string
  readonly search?: Search
  readonly verb: string
  readonly guide: string
  /** Without it, always. */
  readonly isFor?: 'an empty sandbox' | 'a sandbox with payments'
  readonly command?: string
}

const STEPS: readonly Step[] = [
  {
    title: 'Explore with sample data',
    text: 'Fill this sandbox with realistic payments, refunds and disputes, so that every page has something to show.',
    to: '/developers/sandbox',
    verb: 'Open the sandbox panel',
    guide: '/docs/guide/sandbox-clock',
    isFor: 'an empty sandbox',
    command: FILL,
  },
  {
    title: 'See why a payment was declined',
    text: 'Open a declined payment: it shows the reason, what the buyer can do, and the provider’s answer.',
    to: '/transactions',
    search: { status: ['authorization_declined', 'authorization_failed'] },
    verb: 'Declined payments',
    guide: '/docs/guide/dashboard',
    isFor: 'a sandbox with payments',
  },
  {
    title: 'Refund a payment',
    text: 'Open a captured payment, and press Refund. No money moves in a sandbox.',
    to: '/transactions',
    search: { status: 'capture_succeeded' },
    verb: 'Captured payments',
    guide: '/docs/guide/dashboard',
    isFor: 'a sandbox with payments',
  },
  {
    title: 'Create a payment link and pay it',
    text: 'You get a URL to send to a buyer. In a sandbox, pay it with card 4111 1111 1111 1111.',
    to: '/payment-links/new',
    verb: 'New payment link',
    guide: '/docs/guide/payment-links',
  },
  {
    title: 'Connect a payment service',
    text: 'Add your provider’s credentials. Until then, the sandbox uses its simulator.',
    to: '/payment-service-definitions',
    verb: 'Connect a service',
    guide: '/docs/guide/payment-services',
  },
  {
    title: 'Send payments from your shop',
    text: 'Create an API key and follow the guide: your first payment takes a few minutes.',
    to: '/developers/keys',
    verb: 'API keys',
    guide: '/docs/guide/take-a-card',
  },
]

type Props = { readonly hasPayments: boolean; readonly onDismiss: () => void }

/** What to do first. Filling the sandbox is done once there are payments: then they are there to look at. */
export function FirstSteps({ hasPayments, onDismiss }: Props) {
  const { environment } = useMe()
  const isInReach = useReach()
  const sandbox = hasPayments ? 'a sandbox with payments' : 'an empty sandbox'
  const steps = STEPS.filter(({ isFor }) => !isFor || (environment === 'sandbox' && isFor === sandbox))
  const [main] = hasPayments ? steps : steps.filter(({ to }) => to === '/payment-links/new')
  return (
    <Section
      title={hasPayments ? 'Next steps' : 'Get started'}
      actions={
        hasPayments && (
          <Button tone="quiet" onClick={onDismiss}>
            Dismiss
          </Button>
        )
      }
    >
      <ol className="first-steps">
        {steps.map(({ title, text, to, search, verb, guide, command }, index) => (
          <li key={title}>
            <span className="step-number" aria-hidden="true">
              {index + 1}
            </span>
            <div>
              <h3>{title}</h3>
              <p>{text}</p>
              {command && (
                <p className="command">
                  <code>{command}</code>
                  <CopyButton text={command} />
                </p>
              )}
              <p className="step-actions">
                {isInReach(to) && (
                  <LinkButton
                    tone={title === main?.title ? 'main' : 'plain'}
                    to={to}
                    {...(search && { search })}
                  >
                    {verb}
                  </LinkButton>
                )}
                <a className="text-link" href={guide}>
                  Read the guide
                </a>
              </p>
            </div>
          </li>
        ))}
      </ol>
    </Section>
  )
}
